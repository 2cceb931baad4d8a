/** Runs an adapter as a process of its own, perhaps to its death half way, and takes down what it said and did. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const LIMIT_MS = 180_000

const now = () => performance.timeOrigin + performance.now()

/**
 * @param {{ command: string[], cwd?: string, env?: Record<string, string> }} adapter
 * @param {{ mode?: 'run' | 'resume', order: 'seq' | 'par', n: number, dir: string, killAt?: number }} job `killAt`: SIGKILL to its
 * process group once that many steps have run
 */
export async function runAdapter({ command, cwd, env = {} }, { mode = 'run', order, n, dir, killAt }) {
  fs.mkdirSync(dir, { recursive: true })
  const before = stepsOf(dir).length
  const spawnedAt = now()
  const [program = '', ...words] = command
  const child = spawn(program, [...words, mode, order, String(n), dir], {
    ...{ cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  })
  const kill = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  let out = ''
  let complaint = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-2000)
  })
  const limit = setTimeout(kill, LIMIT_MS)
  const watch = killAt === undefined ? undefined : setInterval(() => stepsOf(dir).length >= killAt && kill(), 5)
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  clearTimeout(limit)
  clearInterval(watch)
  // What it started itself, such as a server, ends with it.
  kill()
  const said = out.split('\n').flatMap((line) => (line.startsWith('{"what"') ? [JSON.parse(line)] : []))
  const event = (what) => said.find((one) => one.what === what)
  const done = event('done')
  if (killAt === undefined && done === undefined) throw new Error(`it came to no end. ${complaint.trim().split('\n').slice(-3).join(' ')}`)
  return { spawnedAt, ready: event('ready'), start: event('start'), done, steps: stepsOf(dir).slice(before) }
}

/** Every real execution of a step, in the order of their starts. */
function stepsOf(dir) {
  let text
  try {
    text = fs.readFileSync(path.join(dir, 'steps.log'), 'utf8')
  } catch {
    return []
  }
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => {
    const [index, at] = line.split(' ')
    return { index: Number(index), at: Number(at) }
  })
}

/** Microseconds from the start of one step to that of the next, over the whole run; without what start and end of a run take. */
export function perStep({ steps }) {
  return ((steps.at(-1).at - steps[0].at) * 1000) / (steps.length - 1)
}
