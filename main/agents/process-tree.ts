/**
 * Processes of the operating system by their blood line: who is a child of whom, since when, and how to end all of them.
 * A process is always named by pid and start time together, so that a reused pid is never taken for the old one.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { ProcessRow } from '../../shared/process-row.ts'
import { PS_COLUMNS, procRow, psRow } from '../../shared/process-row.ts'

export interface ProcessId {
  pid: number
  /** Clock ticks since boot on Linux, milliseconds since 1970 on macOS; 0 where the system does not tell. */
  startTime: number
}

const POLL_MS = 40
/** How long the system may take to let go of what was killed. */
const KILL_MS = 2000

/** Start time of a living process in the system's own unit, or 0 when it is gone or the system does not tell. */
export function startTimeOf(pid: number): number {
  if (process.platform === 'linux') return linuxRow(pid, true)?.startTime ?? 0
  if (process.platform === 'win32') return 0
  return posixRows(['-p', String(pid)])[0]?.startTime ?? 0
}

/** Whether exactly this process still works; a zombie does not. */
export function isAlive(process: ProcessId): boolean {
  return table().some((row) => same(row, process))
}

/** Everything below these processes and in their process groups, themselves included, as far as it lives now. */
export function familyOf(roots: readonly ProcessId[], environment: Readonly<Record<string, string>> = {}): ProcessId[] {
  const rows = table()
  const family = new Map<number, ProcessRow>()
  const living = new Map(rows.map((row) => [row.pid, row]))
  // A process group keeps its number as long as it has members: a leader that is another process means another group.
  const groups = new Set(roots.filter((root) => same(living.get(root.pid) ?? root, root)).map((root) => root.pid))
  const add = (row: ProcessRow) => {
    if (family.has(row.pid)) return
    family.set(row.pid, row)
    for (const child of rows) if (child.parent === row.pid) add(child)
  }
  for (const row of rows) {
    if (row.pid === process.pid) continue
    if (groups.has(row.group) || roots.some((root) => same(row, root)) || carries(row.pid, environment)) add(row)
  }
  return [...family.values()].map(({ pid, startTime }) => ({ pid, startTime }))
}

/**
 * Ends processes with everything below them: SIGTERM, up to `graceMs` for a clean end, then SIGKILL. What was seen below
 * them before the first signal is ended too, even when its parent is gone by then; so is what carries all of
 * `environment`, when given. Resolves when nothing of it is left (or after 2 s more, for what the system does not let go).
 */
export async function endFamily(
  roots: readonly ProcessId[],
  graceMs: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (process.platform === 'win32') {
    for (const root of roots) taskkill(root.pid)
    return
  }
  const seen = [...roots]
  // Reading every environment takes time on a busy machine, so it is done before and after the wait, not during it.
  const look = (marks?: Readonly<Record<string, string>>) => {
    const family = familyOf(seen, marks)
    seen.push(...family.filter((one) => !seen.some((known) => same(known, one))))
    return family
  }
  let family = look(environment)
  signalAll(family, 'SIGTERM')
  const termBy = performance.now() + graceMs
  while (family.length > 0 && performance.now() < termBy) {
    await wait(Math.min(POLL_MS, graceMs))
    family = look()
  }
  family = look(environment)
  const killBy = performance.now() + KILL_MS
  while (family.length > 0 && performance.now() < killBy) {
    signalAll(family, 'SIGKILL')
    await wait(POLL_MS)
    family = look(environment)
  }
}

function signalAll(family: readonly ProcessId[], signal: NodeJS.Signals): void {
  for (const { pid } of family) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended between the look and the signal.
    }
  }
}

function same(a: ProcessId, b: ProcessId): boolean {
  return a.pid === b.pid && a.startTime === b.startTime
}

/** Every living process that the system shows us. */
function table(): ProcessRow[] {
  if (process.platform !== 'linux') return process.platform === 'win32' ? [] : posixRows(['-A'])
  const rows: ProcessRow[] = []
  for (const name of readdirSync('/proc')) {
    const row = /^\d+$/.test(name) ? linuxRow(Number(name)) : null
    if (row !== null) rows.push(row)
  }
  return rows
}

function linuxRow(pid: number, zombiesToo = false): ProcessRow | null {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return null
  }
  const row = procRow(pid, stat)
  return row.isZombie && !zombiesToo ? null : row
}

function posixRows(which: readonly string[]): ProcessRow[] {
  let text: string
  try {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
    text = execFileSync('ps', [...which, '-o', PS_COLUMNS], { encoding: 'utf8', env, maxBuffer: 16 << 20 })
  } catch {
    return []
  }
  const rows: ProcessRow[] = []
  for (const line of text.split('\n')) {
    const row = psRow(line)
    if (row !== null && !row.isZombie) rows.push(row)
  }
  return rows
}

/** Only Linux shows the environment of others without asking for rights. */
function carries(pid: number, environment: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  if (wanted.length === 0 || process.platform !== 'linux') return false
  try {
    const entries = new Set(readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0'))
    return wanted.every((entry) => entries.has(entry))
  } catch {
    return false
  }
}

function taskkill(pid: number): void {
  try {
    execFileSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' })
  } catch {
    // Nothing of it is left.
  }
}
