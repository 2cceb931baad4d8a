/** Asks the person at the terminal: the question goes to stderr, the answer is a line of stdin. */
import type { Interface } from 'node:readline'
import type { Io } from './io.ts'

export interface Asker {
  /** One answer, trimmed, and in small letters unless it is wanted as typed; empty when stdin has ended. */
  ask(question: string, letters?: 'small' | 'as-typed'): Promise<string>
  /** Lets go of stdin, so that the process can end. */
  close(): void
}

export function createAsker(io: Io): Asker {
  let reader: Interface | undefined
  let lines: AsyncIterator<string> | undefined
  return {
    async ask(question, letters = 'small') {
      // One reader for all questions: a second one would lose the lines that the first has read ahead.
      reader ??= (await import('node:readline')).createInterface({ input: io.stdin, terminal: false })
      lines ??= reader[Symbol.asyncIterator]()
      io.stderr.write(question)
      const next = await lines.next()
      if (next.done === true) io.stderr.write('\n')
      if (next.done === true) return ''
      return letters === 'small' ? next.value.trim().toLowerCase() : next.value.trim()
    },
    close: () => reader?.close(),
  }
}
