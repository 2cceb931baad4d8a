/**
 * Who owns an attempt, and whether that process still lives: by pid and start time on one boot of one host, never by an
 * age, so a sleeping laptop loses nothing.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ProcessRow } from '../../shared/process-row.ts'
import { PS_COLUMNS, procRow, psRow } from '../../shared/process-row.ts'
import type { Owner } from '../../shared/run/record.ts'

/** `foreign`: another machine's process, about which nothing can be known from here. */
export type OwnerState = 'alive' | 'dead' | 'foreign'

/** Used where a journal's own record of its owner is damaged: a process that never was. */
export const NOBODY: Owner = { pid: 0, startTime: 0, boot: '', host: '' }

let self: Owner | undefined

/** This process. Looked up once. */
export function currentOwner(): Owner {
  self ??= { pid: process.pid, startTime: ownStart(), boot: bootId(), host: hostname() }
  return self
}

function output(command: string, args: string[]): string {
  const done = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 5000,
    windowsHide: true,
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  })
  return done.status === 0 ? done.stdout.trim() : ''
}

function bootId(): string {
  try {
    if (process.platform === 'linux') return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    if (process.platform === 'darwin') return output('sysctl', ['-n', 'kern.bootsessionuuid'])
  } catch {
    // No such file in a locked-down container: pid and start time have to do.
  }
  return ''
}

function ownStart(): number {
  if (process.platform === 'win32') return Math.round(Date.now() - process.uptime() * 1000)
  return processStart(process.pid) ?? 0
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * When a process started: clock ticks since boot on Linux, else milliseconds since 1970.
 * @returns null when there is no such process or it is a zombie; 0 when it exists and its start can't be told
 */
export function processStart(pid: number): number | null {
  if (!Number.isInteger(pid) || pid <= 0 || !exists(pid)) return null
  if (process.platform === 'linux') return linuxStart(pid)
  if (process.platform === 'win32') {
    const script = `[DateTimeOffset]::new((Get-Process -Id ${pid}).StartTime).ToUnixTimeMilliseconds()`
    return Number(output('powershell', ['-NoProfile', '-NonInteractive', '-Command', script])) || 0
  }
  const row = psRow(output('ps', ['-o', PS_COLUMNS, '-p', String(pid)]))
  return row === null ? 0 : startOf(row)
}

function linuxStart(pid: number): number | null {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch (error) {
    const gone = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')
    return gone ? null : 0
  }
  return startOf(procRow(pid, stat))
}

function startOf({ isZombie, startTime }: ProcessRow): number | null {
  return isZombie ? null : startTime
}

/** True when `pid` is still the process that started then. A start that can't be told counts as the same process. */
export function isSameProcess(pid: number, startTime: number): boolean {
  const start = processStart(pid)
  if (start === null) return false
  if (start === 0 || startTime === 0) return true
  // On Windows our own start is reckoned from the uptime, a little off from what the system tells others.
  return Math.abs(start - startTime) <= (process.platform === 'win32' ? 5000 : 0)
}

/** Whether the process that owns an attempt still lives. */
export function ownerState(owner: Owner, here: Owner = currentOwner()): OwnerState {
  if (owner.pid === 0) return 'dead'
  // A host's name changes with the network on a Mac, where the boot's id is the machine's alone; on Linux containers share it.
  const sameBoot = owner.boot === here.boot
  const sameHost = owner.host === here.host || (process.platform === 'darwin' && sameBoot && here.boot !== '')
  if (!sameHost) return 'foreign'
  if (!sameBoot) return 'dead'
  if (owner.pid === here.pid) return owner.startTime === here.startTime ? 'alive' : 'dead'
  return isSameProcess(owner.pid, owner.startTime) ? 'alive' : 'dead'
}
