/**
 * The agent processes of a run, noted as they start (`children.jsonl`), so that whoever finds their owner dead can end
 * them. Only a process that is provably the one noted is touched: same boot, same pid, same start.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { currentOwner, isSameProcess, processStart } from './owner.ts'
import type { RunPaths } from './paths.ts'

/** Each agent process gets the run's id under this name, so that one which left its group is found too. */
export const RUN_VARIABLE = 'REPRISE_RUN'

/** And the project's folder under this one. */
const PROJECT_VARIABLE = 'REPRISE_PROJECT'

const GRACE_MS = 2000
const POLL_MS = 25

const Child = z.object({ pid: z.number().int().positive(), startTime: z.number(), call: z.number(), boot: z.string() })
export type Child = z.infer<typeof Child>

export function encodeChild({ pid, startTime, call, boot }: Child): string {
  return `${JSON.stringify({ pid, startTime, call, boot })}\n`
}

function readChildren(path: string): Child[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line) => {
    try {
      const parsed = Child.safeParse(JSON.parse(line))
      return parsed.success ? [parsed.data] : []
    } catch {
      return []
    }
  })
}

/** What is left of a dead owner's processes: those noted that are provably the same, and on Linux all that carry the run's id. */
export function leftProcesses(files: RunPaths, runId: string): { pid: number; start: number }[] {
  const noted = readChildren(files.children)
  if (noted.length === 0) return []
  const { boot } = currentOwner()
  const own = noted.filter((child) => child.boot === boot && child.pid !== process.pid)
  const living = own.filter((child) => isSameProcess(child.pid, child.startTime)).map((child) => child.pid)
  const strays =
    process.platform === 'linux' && own.length > 0
      ? processesOf(runId, dirname(dirname(dirname(files.folder)))).filter((pid) => !living.includes(pid))
      : []
  return [...living, ...strays].map((pid) => ({ pid, start: processStart(pid) ?? -1 }))
}

/**
 * Ends what is left of a dead owner's processes: asks first, kills after two seconds.
 * @returns how many processes were there
 */
export async function endChildren(files: RunPaths, runId: string): Promise<number> {
  const all = leftProcesses(files, runId)
  if (all.length === 0) return 0
  for (const { pid } of all) signal(pid, 'SIGTERM')
  const until = Date.now() + GRACE_MS
  while (all.some(({ pid, start }) => isSameProcess(pid, start)) && Date.now() < until) await pause(POLL_MS)
  // Also where the first of a group has gone: the rest of the group may ignore the polite signal.
  for (const { pid } of all) signal(pid, 'SIGKILL')
  return all.length
}

/** To the whole group where the process leads one. */
function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/T', '/F', '/PID', String(pid)], { windowsHide: true, timeout: 5000 })
    return
  }
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, name)
    } catch {
      // Gone already, or no leader of a group.
    }
  }
}

/**
 * Linux: processes with this run's id in their environment, other than us and what we run in. One that names another project
 * works on a run of the same id there, from which this one was imported, or which was imported from this one.
 */
function processesOf(runId: string, project: string): number[] {
  const entry = `${RUN_VARIABLE}=${runId}`
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid || pid === process.ppid) return []
    try {
      const marks = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0')
      const named = marks.find((mark) => mark.startsWith(`${PROJECT_VARIABLE}=`))?.slice(PROJECT_VARIABLE.length + 1)
      return marks.includes(entry) && (named === undefined || isSameFolder(named, project)) ? [pid] : []
    } catch {
      return []
    }
  })
}

function isSameFolder(a: string, b: string): boolean {
  try {
    return a === b || realpathSync(a) === realpathSync(b)
  } catch {
    return false // that project is gone
  }
}
