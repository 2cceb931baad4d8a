#!/usr/bin/env node
/** Entry of the `reprise` command: ties the process to `main`. The service is imported only when a command asks for it. */
import type { Io } from './io.ts'
import { main } from './main.ts'

const interrupts = new Set<() => void>()

function interrupt(exitCode: number): void {
  if (interrupts.size === 0) process.exit(exitCode)
  for (const listener of [...interrupts]) listener()
}

process.on('SIGINT', () => interrupt(130))
process.on('SIGTERM', () => interrupt(143))

// A reader that has gone (`reprise … | head`) wants no more: a run in progress is stopped and kept, anything else just ends.
let isReaderGone = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isReaderGone) return
  isReaderGone = true
  if (error.code !== 'EPIPE') process.stderr.write(`reprise: the output can't be written: ${error.message}\n`)
  interrupt(error.code === 'EPIPE' ? 0 : 1)
})
process.stderr.on('error', () => undefined)

function currentFolder(): string | null {
  try {
    return process.cwd()
  } catch {
    return null // the folder was deleted under us
  }
}

/** Ends only when everything printed has left: pipes are asynchronous on some systems. */
async function end(code: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.destroyed && !isReaderGone) await new Promise<void>((done) => void stream.write('', () => done()))
  }
  process.exit(code)
}

const cwd = currentFolder()
if (cwd === null) {
  process.stderr.write('reprise: the current folder no longer exists. Change to another one and try again.\n')
  await end(2)
} else {
  const io: Io = {
    stdout: {
      write: (text) => isReaderGone || process.stdout.write(text),
      get columns() {
        return process.stdout.columns
      },
    },
    stderr: process.stderr,
    stdin: process.stdin,
    cwd,
    env: process.env,
    isTty: { stdin: process.stdin.isTTY === true, stdout: process.stdout.isTTY === true, stderr: process.stderr.isTTY === true },
    onInterrupt: (listener) => {
      interrupts.add(listener)
      return () => void interrupts.delete(listener)
    },
  }
  const code = await main(process.argv.slice(2), io, async () =>
    (await import('../service/create-service.ts')).createService({ hostHere: true }),
  )
  await end(code)
}
