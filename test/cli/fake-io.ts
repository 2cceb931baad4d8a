/** Streams and keys of a person or a program, for tests of the command line. */
import { Readable } from 'node:stream'
import type { Io } from '../../main/cli/io.ts'

export interface FakeIo {
  io: Io
  stdout(): string
  stderr(): string
  /** Presses Ctrl-C; false when nobody listens, so that the process would end. */
  interrupt(): boolean
}

interface Setting {
  cwd?: string
  /** Lines typed at the terminal; giving them makes stdin a terminal. */
  types?: readonly string[]
  tty?: boolean
  columns?: number
  env?: Record<string, string>
  stdin?: string
}

export function fakeIo(setting: Setting = {}): FakeIo {
  const written = { stdout: '', stderr: '' }
  const into = (stream: keyof typeof written) => (text: string) => {
    written[stream] += text
  }
  const listeners = new Set<() => void>()
  const tty = setting.tty ?? false
  const columns = tty ? (setting.columns ?? 100) : undefined
  const io: Io = {
    stdout: { write: into('stdout'), columns },
    stderr: { write: into('stderr'), columns },
    stdin: Readable.from(setting.types === undefined ? [setting.stdin ?? ''] : setting.types.map((line) => `${line}\n`)),
    cwd: setting.cwd ?? '/nowhere',
    env: setting.env ?? {},
    isTty: { stdin: setting.types !== undefined, stdout: tty, stderr: tty },
    onInterrupt(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return {
    io,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    interrupt() {
      for (const listener of [...listeners]) listener()
      return listeners.size > 0
    },
  }
}
