/** One task made ready to run: who does it, with which environment, by which rules, and what has to stay secret. */
import { stat } from 'node:fs/promises'
import type { Profile } from '../../shared/contract/agents.ts'
import type { Json } from '../../shared/json.ts'
import type { DeadReason } from '../../shared/run/record.ts'
import type { AgentCall, AgentContext, AgentOutcome } from '../agents/agent-runner.ts'
import { readCheck, runCheck, simulatedCheck } from '../agents/check.ts'
import { childEnvironment } from '../agents/child-environment.ts'
import { passedVariables } from '../agents/passed-variables.ts'
import { type Rule, ruleFor } from '../agents/permission-rules.ts'
import { programOf } from '../agents/profiles.ts'
import type { Refusal, Resolved, Runners } from '../agents/runners.ts'
import { SecretMask, secretsIn } from '../agents/secret-mask.ts'
import { WorktreeError } from '../agents/worktree/worktrees.ts'
import type { AgentRequest, CallTask, Secrets } from '../engine/ports.ts'
import type { Place, Places } from './places.ts'

/** What a task does once it may. */
export interface Job {
  backend: string
  streams: boolean
  /** Null for a check. */
  profile: Profile | null
  env: Readonly<Record<string, string>>
  mask: SecretMask
  rule(tool: string): Rule
  run(context: AgentContext): Promise<AgentOutcome>
}

export interface JobRefusal {
  refused: DeadReason
  detail: string
}

export interface JobWorld {
  /** The project's folder. */
  cwd: string
  /** Where calls work. */
  places: Places
  runners: Runners
  defaultAgent: string | null
  env: Readonly<Record<string, string | undefined>>
  secrets: Secrets | null
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0 }
/** What an agent is told that goes on with its session: it may not have heard its task to the end. */
const GO_ON = 'You were interrupted while you worked on this. What is done is done: look where you were, and go on. The task was:'

const NOTHING_SECRET = new SecretMask({})

export async function jobOf(task: CallTask, world: JobWorld): Promise<Job | JobRefusal> {
  return task.kind === 'check' ? checkJob(task, world) : agentJob(task, world)
}

function checkJob(task: CallTask, { cwd, places, defaultAgent, env }: JobWorld): Job | JobRefusal {
  const request = readCheck(task.request)
  if (request === null) return { refused: 'agent-error', detail: 'The task holds no command' }
  const shared = {
    streams: false,
    profile: null,
    env: childEnvironment(env, { ...task, project: cwd }),
    mask: NOTHING_SECRET,
    rule: () => ({ answer: 'ask' }) as const,
  }
  if (defaultAgent === 'simulated') return { ...shared, backend: 'simulated', run: async (context) => simulatedCheck(context) }
  return {
    ...shared,
    backend: 'check',
    run: (context) => inPlace(places.of(task, false), context, (place) => runCheck(request, place, context)),
  }
}

async function agentJob(task: CallTask, world: JobWorld): Promise<Job | JobRefusal> {
  const request = readRequest(task.request)
  if (request === null) return { refused: 'agent-error', detail: 'The task holds no prompt' }
  const agent = await agentFor(request, world)
  if ('refused' in agent) return agent
  const { runner, profile } = agent
  const isReal = runner.backend !== 'simulated'
  if (isReal && !(await isFolder(world.cwd))) return { refused: 'agent-error', detail: folderGone(profile, world.cwd) }
  const secrets = isReal && world.secrets !== null ? await world.secrets.env(profile.name) : {}
  const path = isReal ? await world.runners.path() : undefined
  const pass = passedVariables(profile)
  // A simulated agent starts no process.
  const env = isReal
    ? childEnvironment(
        world.env,
        { ...task, project: world.cwd },
        { pass, set: { ...(path && { PATH: path }), ...profile.env, ...secrets } },
      )
    : {}
  return {
    backend: runner.backend,
    streams: runner.streams === true,
    profile,
    env,
    mask: isReal
      ? new SecretMask({ ...secretsIn(Object.fromEntries(Object.entries(env).filter(([name]) => pass.includes(name)))), ...secrets })
      : NOTHING_SECRET,
    rule: (tool) => ruleFor(tool, agent),
    run: (context) => {
      const work = (cwd: string): Promise<AgentOutcome> => runner.run(callOf(task, request, agent, { cwd, project: world.cwd }), context)
      return isReal ? inPlace(world.places.of(task, request.isolation !== undefined), context, work) : work(world.cwd)
    },
  }
}

async function agentFor(request: AgentRequest, { runners, defaultAgent }: JobWorld): Promise<Resolved | Refusal> {
  if (defaultAgent === 'simulated') return runners.resolve({ ...request, agentType: 'simulated' })
  return runners.resolve(request)
}

/** A call without its place is dead: it never works in another one. */
async function inPlace(made: Promise<Place>, context: AgentContext, work: (cwd: string) => Promise<AgentOutcome>): Promise<AgentOutcome> {
  let place: Place
  try {
    place = await made
  } catch (error) {
    if (!(error instanceof WorktreeError)) throw error
    return { kind: 'dead', reason: 'worktree-failed', detail: error.message, retryable: error.isPassing, usage: NO_USAGE }
  }
  try {
    return context.signal.aborted ? { kind: 'cancelled' } : await work(place.cwd)
  } finally {
    const left = await place.leave()
    if (left !== null) context.onEvent({ kind: 'notice', text: left })
  }
}

function callOf(task: CallTask, request: AgentRequest, agent: Resolved, where: { cwd: string; project: string }): AgentCall {
  const { prompt, schema, effort, agentType, maxTokens } = request
  const { model, instructions, tools, readOnly, permissions, runner } = agent
  const { runId, call, attempt, generation, timeoutMs } = task
  const session = runner.continues === true ? task.session : undefined
  return {
    ...{ runId, call, attempt, generation, label: request.label ?? null, timeoutMs },
    ...{ ...where, readOnly, permissions, prompt: session === undefined ? prompt : `${GO_ON}\n\n${prompt}` },
    ...(schema === undefined ? {} : { schema }),
    ...(model === null ? {} : { model }),
    ...(instructions === null ? {} : { instructions }),
    ...(effort === undefined ? {} : { effort }),
    ...(agentType === undefined ? {} : { agentType }),
    ...(tools === null ? {} : { allowedTools: tools }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(session === undefined ? {} : { session }),
  }
}

function readRequest(request: Json): AgentRequest | null {
  const whole = typeof request === 'object' && request !== null && !Array.isArray(request)
  return whole && typeof request.prompt === 'string' ? { ...request, prompt: request.prompt } : null
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

function folderGone(profile: Profile, cwd: string): string {
  return `Can't start \`${programOf(profile) ?? profile.name}\`: its folder ${cwd} isn't there. Nothing was lost.`
}
