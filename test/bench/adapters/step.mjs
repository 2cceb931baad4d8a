/**
 * What every adapter shares. An adapter is a program `<adapter> (run|resume) (seq|par) N DIR` that takes one workflow of N
 * durable steps through its engine, one after the other or 16 at once, and prints `ready` (the engine is up), `start` and `done`
 * as JSON lines. Each real execution of a step adds a line `<index> <time>` to DIR/steps.log.
 */
import fs from 'node:fs'
import path from 'node:path'

const [, , mode = 'run', order = 'seq', count = '0', dir = '.'] = process.argv
export const asked = { mode, lanes: order === 'par' ? 16 : 1, n: Number(count), dir }
fs.mkdirSync(dir, { recursive: true })
const log = fs.openSync(path.join(dir, 'steps.log'), 'a')

/** Milliseconds since 1970, with fractions. */
export const now = () => performance.timeOrigin + performance.now()

/** The step itself does nothing; its answer is about 200 bytes of JSON. */
export function step(index) {
  fs.writeSync(log, `${index} ${now().toFixed(3)}\n`)
  return { ok: true, i: index, out: 'y'.repeat(170) }
}

/** Most memory of this process so far, in kB. What the system counts for a child includes what its parent had before it began. */
function peak() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1])
  } catch {
    return process.resourceUsage().maxRSS
  }
}

/** @param {'ready' | 'start' | 'done'} what */
export function say(what, more = {}) {
  fs.writeSync(1, `${JSON.stringify({ what, at: now(), peakKb: peak(), ...more })}\n`)
}

/** The indexes of the steps, in the groups that are asked for at once. */
export function* groups() {
  for (let from = 0; from < asked.n; from += asked.lanes) {
    yield Array.from({ length: Math.min(asked.lanes, asked.n - from) }, (_, place) => from + place)
  }
}
