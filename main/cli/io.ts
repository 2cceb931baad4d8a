/** What the command line sees of its surroundings. `reprise.ts` hands in the process; tests hand in their own. */

export interface Output {
  write(text: string): unknown
  /** Width of the terminal in cells; undefined when it is none. */
  readonly columns?: number | undefined
}

export interface Io {
  /** The answer of a command: return value, table, JSON. */
  stdout: Output
  /** Progress, questions, warnings, errors. */
  stderr: Output
  stdin: NodeJS.ReadableStream
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  isTty: { stdin: boolean; stdout: boolean; stderr: boolean }
  /** Called for each Ctrl-C (or SIGTERM) while subscribed; without a subscriber the process ends as usual. */
  onInterrupt(listener: () => void): () => void
}

/** Whether there is somebody to ask: questions are written to stderr and answered on stdin. */
export function canAsk(io: Io): boolean {
  return io.isTty.stdin && io.isTty.stderr
}
