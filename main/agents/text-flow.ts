/** Makes lines of what a model says bit by bit, so that a word is no event of its own. */
const LONGEST_CHARS = 200

export class TextFlow {
  private readonly show: (text: string) => void
  private held = ''

  constructor(show: (text: string) => void) {
    this.show = show
  }

  add(text: string): void {
    const lines = (this.held + text).split('\n')
    this.held = lines.pop() ?? ''
    for (const line of lines) this.line(line)
    if (this.held.length >= LONGEST_CHARS) this.flush()
  }

  /** Shows what has no end of line yet: the model does something else, or has ended. */
  flush(): void {
    this.line(this.held)
    this.held = ''
  }

  private line(text: string): void {
    if (text.trim() !== '') this.show(text)
  }
}
