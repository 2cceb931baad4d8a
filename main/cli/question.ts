/** Asks the person at the terminal: the question goes to stderr, the answer is a line of stdin. */
import type { Interface } from 'node:readline'
import type { Io } from './io.ts'

export interface Asker {
  /** One answer, trimmed and in small letters; empty when stdin has ended. */
  ask(question: string): Promise<string>
  /** Lets go of stdin, so that the process can end. */
  close(): void
}

export function createAsker(io: Io): Asker {
  let reader: Interface | undefined
  let lines: AsyncIterator<string> | undefined
  return {
    async ask(question) {
      // One reader for all questions: a second one would lose the lines that the first has read ahead.
      reader ??= (await import('node:readline')).createInterface({ input: io.stdin, terminal: false })
      lines ??= reader[Symbol.asyncIterator]()
      io.stderr.write(question)
      const next = await lines.next()
      if (next.done === true) io.stderr.write('\n')
      return next.done === true ? '' : next.value.trim().toLowerCase()
    },
    close: () => reader?.close(),
  }
}
