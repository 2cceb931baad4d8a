/** How much of a text of the script goes where people look: what is longer is cut, and stays whole where it is data. */

/** Letters of a label or of the title of a phase; they stand in lists. */
const MAX_TITLE = 200
/** Letters of one line of the log. */
const MAX_LINE = 65_536

export function titleText(text: string): string {
  return cut(text, MAX_TITLE)
}

export function lineText(text: string): string {
  return cut(text, MAX_LINE)
}

/** Never in the middle of a pair of surrogates. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most
  return `${text.slice(0, end)}…`
}
