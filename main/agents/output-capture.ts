/**
 * Keeps what a program writes to one stream: the beginning up to a cap, the last lines always, and each line as it comes,
 * fit to be shown (characters whole across chunks, no terminal escapes).
 */
import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'

/** Beyond this nothing is kept but a count. */
export const OUTPUT_CAP_BYTES = 10 * 1024 * 1024
/** Lines shown while a program runs; beyond this they are only kept. */
export const LIVE_LINES = 2000
const LINE_CHARS = 4000
const TAIL_LINES = 20

export class OutputCapture {
  private readonly chunks: Buffer[] = []
  private kept = 0
  private dropped = 0
  private readonly decoder = new StringDecoder('utf8')
  private unfinished = ''
  private readonly tail: string[] = []
  private shown = 0
  private readonly onLine: (line: string) => void

  constructor(onLine: (line: string) => void) {
    this.onLine = onLine
  }

  add(chunk: Buffer): void {
    const room = OUTPUT_CAP_BYTES - this.kept
    const part = chunk.length <= room ? chunk : chunk.subarray(0, room)
    if (part.length > 0) this.chunks.push(part)
    this.kept += part.length
    this.dropped += chunk.length - part.length
    this.lines(this.decoder.write(chunk))
  }

  /** Ends the stream; a last line without its newline is a line too. */
  end(): { text: string; dropped: number; tail: string } {
    this.lines(this.decoder.end())
    if (this.unfinished !== '') this.line(this.unfinished)
    this.unfinished = ''
    const bytes = Buffer.concat(this.chunks)
    // A cut may fall inside a character: the decoder holds its first bytes back.
    const text = this.dropped > 0 ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8')
    return { text, dropped: this.dropped, tail: this.tail.join('\n') }
  }

  private lines(text: string): void {
    const parts = (this.unfinished + text).split('\n')
    this.unfinished = parts.pop() ?? ''
    for (const part of parts) this.line(part)
    // A program that never ends its line must not fill the memory: show what is there and begin anew.
    if (this.unfinished.length > LINE_CHARS * 16) {
      this.line(this.unfinished)
      this.unfinished = ''
    }
  }

  private line(raw: string): void {
    const line = presentable(raw)
    if (line === '') return
    this.tail.push(line)
    if (this.tail.length > TAIL_LINES) this.tail.shift()
    this.shown += 1
    if (this.shown <= LIVE_LINES) this.onLine(line)
    else if (this.shown === LIVE_LINES + 1) this.onLine('More lines follow; they are kept but not shown here.')
  }
}

/** A line as a terminal would leave it on screen: escapes gone, and of a line drawn again and again its last state. */
function presentable(raw: string): string {
  const drawn = raw.replace(/\r+$/, '')
  const last = stripVTControlCharacters(drawn.slice(drawn.lastIndexOf('\r') + 1))
  return last
    .replace(/(?!\t)\p{Cc}/gu, '')
    .trimEnd()
    .slice(0, LINE_CHARS)
}
