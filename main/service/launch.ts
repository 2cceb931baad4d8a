/** Starts a new run: reads the text itself, refuses what can't or may not run, makes the run whole on disk, then goes. */
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { ulid } from 'ulid'
import { AppError } from '../../shared/errors.ts'
import { RunId } from '../../shared/ids.ts'
import { isTooDeep, type Json, MAX_JSON_DEPTH } from '../../shared/json.ts'
import { VERSION } from '../../shared/version.ts'
import type { NewRun, RunLimits } from '../engine/ports.ts'
import { defaultTitle } from '../engine/source/workflow-name.ts'
import { currentOwner } from '../store/owner.ts'
import { type LocalRunStore, openStore } from '../store/run-store.ts'
import type { TrustStore } from '../store/trust-store.ts'
import { checkChoices, choicesOf } from './choices.ts'
import { agentUnset } from './default-agent.ts'
import { followRun } from './follow-run.ts'
import { gitHead } from './git-head.ts'
import { type HostEntry, type TakeRun, withHost } from './host-thread.ts'
import { type LoadedScript, loadScript } from './load-script.ts'
import { preflightOf, refusal } from './preflight.ts'
import type { LaunchOptions, LiveRun, Target } from './service.ts'
import { stallSetting } from './stall-setting.ts'

const MAX_CONCURRENCY = 16
const DEFAULT_MAX_AGENTS = 1000
/** Simulated calls weigh nothing, so a fan-out looks like one on the smallest machine too. */
const SIMULATED_AT_ONCE = 4

/** Two cores are left to the person; real agents are processes with compilers and tests behind them. */
function usualConcurrency(agent: string | undefined): number {
  const least = agent === 'simulated' ? SIMULATED_AT_ONCE : 1
  return Math.max(least, Math.min(MAX_CONCURRENCY, availableParallelism() - 2))
}

export function limitsOf(
  options: { concurrency?: number; maxAgents?: number; budget?: number; maxCost?: number; stallMs?: number | null; agent?: string },
  base?: RunLimits,
): RunLimits {
  return {
    concurrency: options.concurrency ?? base?.concurrency ?? usualConcurrency(options.agent),
    maxAgents: options.maxAgents ?? base?.maxAgents ?? DEFAULT_MAX_AGENTS,
    budget: options.budget ?? base?.budget ?? null,
    maxCost: options.maxCost ?? base?.maxCost ?? null,
    stallMs: options.stallMs === undefined ? (base?.stallMs ?? null) : options.stallMs,
  }
}

/** @throws AppError `bad-args` for input that nests too deep to be saved and handed on */
export function checkInput(args: Json | undefined): void {
  if (args !== undefined && isTooDeep(args))
    throw new AppError('bad-args', `The input is nested more than ${MAX_JSON_DEPTH} levels deep. Give a flatter one; nothing was started.`)
}

export async function launch(target: Target, options: LaunchOptions, trusted: TrustStore, hostEntry: HostEntry): Promise<LiveRun> {
  checkInput(options.args)
  const { project, requestId, dryRun = false } = options
  const store = openStore(project)
  const made = dryRun ? null : store.request(requestId)
  let script: LoadedScript
  try {
    script = await loadScript(project, target)
  } catch (error) {
    if (made === null) throw error
    return followRun(store, made.runId) // asked before, and the file is gone since: the run is there all the same
  }
  await refuse(script, options, trusted)
  await checkChoices(options, script.checked.uses, project, trusted.folder)
  // The thread loads while the run is made.
  return withHost(hostEntry, (take) => makeAndStart(script, options, store, trusted.folder, take))
}

/** @throws AppError when this text can't run, or may not, or is another one than the person saw */
async function refuse(script: LoadedScript, { project, agent, seenSha256, dryRun }: LaunchOptions, trusted: TrustStore): Promise<void> {
  const found = await preflightOf(script, project, agent, trusted)
  const refused = refusal(script.path, found.diagnostics)
  if (refused !== null) throw refused
  if (seenSha256 !== undefined && seenSha256 !== script.sha256) {
    throw new AppError(
      'changed-since-you-looked',
      `${script.path} changed after you looked at it. Nothing ran; review the new text and start again.`,
    )
  }
  if (dryRun === true) return
  if (agent === undefined && found.agentLeftBy !== null) throw agentUnset(found.agentLeftBy)
  if (found.trustNeeded !== null) {
    throw new AppError('not-trusted', `${script.path} was never run here, and ${found.trustNeeded}. Read it, then run it with --yes.`)
  }
}

async function makeAndStart(
  script: LoadedScript,
  options: LaunchOptions,
  store: LocalRunStore,
  data: string,
  take: TakeRun,
): Promise<LiveRun> {
  const { project, requestId, dryRun = false } = options
  const { prepared, meta } = script.checked
  if (prepared === null) throw new AppError('internal', `${script.path} was checked and could not be prepared`)
  const agent = dryRun ? 'simulated' : options.agent
  const choices = choicesOf(options)
  const git = await gitHead(project)
  const workspace = dryRun ? 'current' : (options.workspace ?? 'current')
  if (workspace === 'worktree' && git === null) {
    throw new AppError(
      'worktree-unavailable',
      `${project} has no git commit to make a worktree from. Commit once, or run in the project itself.`,
    )
  }
  const { text, ...about }: NewRun = {
    runId: RunId.parse(ulid()),
    title: options.title ?? defaultTitle(meta, script.path),
    source: { kind: script.name === null ? 'file' : 'named', path: script.path, name: script.name, sha256: script.sha256, ext: script.ext },
    ...(options.args !== undefined && { args: options.args }),
    project,
    workspace,
    git,
    limits: limitsOf({ stallMs: await stallSetting(data), ...options, ...(agent !== undefined && { agent }) }),
    seed: randomBytes(16).toString('hex'),
    engine: VERSION,
    backend: agent ?? null,
    ...choices,
    policy: 'content',
    text: script.text,
  }
  const created = dryRun ? null : await store.create({ ...about, text }, requestId, currentOwner())
  if (created?.existed === true) return followRun(store, created.runId)
  const number = created?.number ?? 0
  return take(
    {
      project,
      data,
      runId: created?.runId ?? about.runId,
      claim:
        created === null
          ? { t: 'rehearsal', info: { ...about, number, requestId, createdAt: Date.now() } }
          : { t: 'first', token: created.token },
      input: {
        script: { sha256: script.sha256, text, ext: script.ext },
        ...(options.args !== undefined && { args: options.args }),
        engine: VERSION,
        policy: 'content',
        backend: about.backend,
        ...choices,
      },
      script: prepared,
      limits: about.limits,
      declaredPhases: meta?.phases ?? [],
      earlier: null,
      skipInFlight: [],
      continueSessions: false,
      whenWaiting: dryRun ? 'stay' : (options.whenWaiting ?? 'stay'),
    },
    number,
  )
}
