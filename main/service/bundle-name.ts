/** The file name that an exported run is offered: one that every file system takes. */
export function bundleName(title: string, number: number): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .toLowerCase()
  return `${plain === '' ? 'run' : plain}-${number}.reprise`
}
