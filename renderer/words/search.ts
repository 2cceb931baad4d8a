/** True when every word of `wanted` (lower case) occurs in the words. */
export function isWanted(wanted: string, words: string): boolean {
  const hay = words.toLowerCase()
  return wanted.split(/\s+/).every((word) => hay.includes(word))
}
