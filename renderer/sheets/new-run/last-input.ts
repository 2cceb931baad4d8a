/** What was given to a workflow last, so that the sheet begins with it. Kept by this window's own storage, nowhere else. */
const PREFIX = 'last-input '
/** Longer inputs are pasted from somewhere and come again from there. */
const LONGEST = 20_000

export function lastInput(path: string): string {
  try {
    return localStorage.getItem(PREFIX + path) ?? ''
  } catch {
    return '' // storage that is full or refused is no reason to show no sheet
  }
}

export function rememberInput(path: string, text: string): void {
  try {
    if (text.trim() === '' || text.length > LONGEST) localStorage.removeItem(PREFIX + path)
    else localStorage.setItem(PREFIX + path, text)
  } catch {
    // not remembered, nothing else
  }
}
