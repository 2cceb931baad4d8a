/** Writes a word so that the user's shell passes it on unchanged: for commands that are shown to be copied. */

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/

export function shellQuote(word: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return PLAIN.test(word.replaceAll('\\', '/')) ? word : `"${word.replaceAll('"', '\\"')}"`
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
