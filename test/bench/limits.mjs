/** What this machine allows at best, measured beside everything else: one record of 316 bytes to the disk, a journal through JSON.parse. */
import { spawnSync } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const RECORD = Buffer.alloc(316, 'x')

function appends(dir, count, sync) {
  const fd = fs.openSync(path.join(dir, `limit-${process.pid}`), 'a')
  const began = performance.now()
  for (let i = 0; i < count; i++) {
    fs.writeSync(fd, RECORD)
    if (sync) fs.fdatasyncSync(fd)
  }
  const each = ((performance.now() - began) * 1000) / count
  fs.closeSync(fd)
  return each
}

/** F: microseconds of one append with fdatasync. */
export const syncedAppend = (dir, count) => appends(dir, count, true)

/** W: microseconds of one append that is left to the system. */
export const plainAppend = (dir, count) => appends(dir, count, false)

/** J: milliseconds to read a journal and parse each of its lines, in a process that has parsed nothing yet, as an engine that resumes. */
export function parseJournal(file) {
  const program = `const began = performance.now()
for (const line of require('fs').readFileSync(process.argv[1], 'utf8').split('\\n')) if (line !== '') JSON.parse(line)
process.stdout.write(String(performance.now() - began))`
  return Number(spawnSync(process.execPath, ['-e', program, file], { encoding: 'utf8' }).stdout)
}

/** Microseconds of the SHA-256 of a short text. */
export function sha256() {
  const count = 20_000
  const text = 'x'.repeat(300)
  const began = performance.now()
  for (let i = 0; i < count; i++) crypto.createHash('sha256').update(text).digest('hex')
  return ((performance.now() - began) * 1000) / count
}

/** The runtime alone: how long `node -e 0` takes (ms), and the memory of a process that does nothing (MB). */
export function bareNode() {
  const began = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  const ms = performance.now() - began
  const program = "import(process.argv[1]).then(({ say }) => say('done'))"
  const step = new URL('adapters/step.mjs', import.meta.url).href
  const said = spawnSync(process.execPath, ['-e', program, step], { encoding: 'utf8', cwd: os.tmpdir() })
  return { ms, mb: JSON.parse(said.stdout).peakKb / 1024 }
}
