/**
 * Runs the command of a `check()` as evidence: how it exited and what it wrote. It stays inside the project's folder, and a
 * command that fails is a result like any other.
 */
import { realpath } from 'node:fs/promises'
import { constants } from 'node:os'
import { relative, resolve, sep } from 'node:path'
import type { Json } from '../../shared/json.ts'
import type { AgentContext, AgentOutcome } from './agent-runner.ts'
import { callMarks } from './child-environment.ts'
import { type Command, type Output, runCommand } from './command.ts'
import { OUTPUT_CAP_BYTES } from './output-capture.ts'
import { commandLine } from './shell.ts'

const NO_USAGE = { inputTokens: 0, outputTokens: 0 }

export interface CheckRequest {
  /** Words of a program, or a line for the shell. */
  command: string[] | string
  cwd: string | null
  env: Readonly<Record<string, string>>
}

type CheckContext = Pick<AgentContext, 'signal' | 'env' | 'onEvent' | 'onSpawn'>

/** What a script gets of a check. */
export type CheckResult = { exitCode: number; stdout: string; stderr: string; durationMs: number }

/** Null for what no `check()` of ours asks. */
export function readCheck(request: Json): CheckRequest | null {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return null
  const { command, cwd, env } = request
  const isLine = typeof command === 'string' && request['shell'] === true
  const isWords = Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === 'string')
  if (!isLine && !isWords) return null
  const given = typeof env === 'object' && env !== null && !Array.isArray(env) ? Object.entries(env) : []
  const texts = given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
  return { command, cwd: typeof cwd === 'string' ? cwd : null, env: Object.fromEntries(texts) }
}

/** @param project the folder that the command may not leave with its `cwd` */
export async function runCheck(request: CheckRequest, project: string, context: CheckContext): Promise<AgentOutcome> {
  const cwd = await folderInside(project, request.cwd)
  if (cwd === null) return dead('refused', `The folder “${request.cwd ?? ''}” is not there, or lies outside of the project ${project}`)
  // Ours come last: by them a process that got away is known as ours.
  const env = { ...context.env, ...request.env, ...callMarks(context.env) }
  const end = await runCommand(
    { ...program(request.command, env), cwd, env },
    {
      signal: context.signal,
      onSpawn: (child) => context.onSpawn(child),
      onLine: (text, from) => context.onEvent({ kind: from === 'stdout' ? 'text' : 'notice', text }),
    },
  )
  if (end.kind === 'cancelled') return end
  if (end.kind === 'not-started') return dead('agent-error', end.detail)
  const output: CheckResult = {
    exitCode: end.code ?? signalCode(end.signal),
    stdout: whole(end.stdout),
    stderr: whole(end.stderr),
    durationMs: end.ms,
  }
  return { kind: 'ok', output, usage: NO_USAGE, cost: null }
}

/** What a check gives in a run that touches nothing: it says itself that nothing ran. */
export function simulatedCheck(context: Pick<AgentContext, 'onEvent'>): AgentOutcome {
  context.onEvent({ kind: 'notice', text: 'Simulated: the command was not run' })
  const output: CheckResult = { exitCode: 0, stdout: '', stderr: '', durationMs: 0 }
  return { kind: 'ok', output, usage: NO_USAGE, cost: null }
}

function program(command: string[] | string, env: Readonly<Record<string, string>>): Pick<Command, 'file' | 'args' | 'verbatim'> {
  if (typeof command === 'string') return commandLine(command, env)
  const [file = '', ...args] = command
  return { file, args }
}

/** The real folder; null when there is none, or a path or a link leads out of the project. */
async function folderInside(project: string, cwd: string | null): Promise<string | null> {
  try {
    const root = await realpath(project)
    const folder = await realpath(resolve(root, cwd ?? '.'))
    const way = relative(root, folder)
    return way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way ? null : folder
  } catch {
    return null
  }
}

/** As shells tell it: 128 and the number of the signal. */
function signalCode(signal: string | null): number {
  return 128 + (Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 0)
}

function whole({ text, dropped }: Output): string {
  if (dropped === 0) return text
  return `${text}\n[cut after ${OUTPUT_CAP_BYTES / 1024 / 1024} MB; ${dropped} bytes more were written]`
}

function dead(reason: 'refused' | 'agent-error', detail: string): AgentOutcome {
  return { kind: 'dead', reason, detail, retryable: false, usage: NO_USAGE }
}
