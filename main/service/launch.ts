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
import type { StoredRequest } from '../store/make-run.ts'
import { currentOwner } from '../store/owner.ts'
import { type LocalRunStore, openStore } from '../store/run-store.ts'
import type { TrustStore } from '../store/trust-store.ts'
import { agentUnset } from './default-agent.ts'
import { followRun } from './follow-run.ts'
import { gitHead } from './git-head.ts'
import { type TakeRun, withHost } from './host-thread.ts'
import { type LoadedScript, loadScript } from './load-script.ts'
import { preflightOf, refusal } from './preflight.ts'
import type { LaunchOptions, LiveRun, Target } from './service.ts'

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
  options: { concurrency?: number; maxAgents?: number; budget?: number; agent?: string },
  base?: RunLimits,
): RunLimits {
  return {
    concurrency: options.concurrency ?? base?.concurrency ?? usualConcurrency(options.agent),
    maxAgents: options.maxAgents ?? base?.maxAgents ?? DEFAULT_MAX_AGENTS,
    budget: options.budget ?? base?.budget ?? null,
  }
}

/** @throws AppError `bad-args` for input that nests too deep to be saved and handed on */
export function checkInput(args: Json | undefined): void {
  if (args !== undefined && isTooDeep(args))
    throw new AppError('bad-args', `The input is nested more than ${MAX_JSON_DEPTH} levels deep. Give a flatter one; nothing was started.`)
}

export async function launch(target: Target, options: LaunchOptions, trusted: TrustStore, hostEntry: URL): Promise<LiveRun> {
  checkInput(options.args)
  const { project, requestId, agent } = options
  const store = openStore(project)
  const made = store.request(requestId)
  const script = await loadScript(project, target).catch((error: unknown) => {
    if (made === null) throw error
    return null // asked before, and the file is gone since: the run is there all the same
  })
  if (script === null) return followRun(store, (made as StoredRequest).runId) // null only when it was asked before
  const found = await preflightOf(script, project, agent, trusted)
  const refused = refusal(script.path, found.diagnostics)
  if (refused !== null) throw refused
  if (options.seenSha256 !== undefined && options.seenSha256 !== script.sha256) {
    throw new AppError(
      'changed-since-you-looked',
      `${script.path} changed after you looked at it. Nothing ran; review the new text and start again.`,
    )
  }
  if (agent === undefined && script.checked.uses.defaultAgent) throw agentUnset(script.path)
  if (found.trustNeeded !== null) {
    throw new AppError('not-trusted', `${script.path} was never run here, and ${found.trustNeeded}. Read it, then run it with --yes.`)
  }
  // The thread loads while the run is made.
  return withHost(hostEntry, (take) => makeAndStart(script, options, store, trusted.folder, take))
}

async function makeAndStart(
  script: LoadedScript,
  options: LaunchOptions,
  store: LocalRunStore,
  data: string,
  take: TakeRun,
): Promise<LiveRun> {
  const { project, requestId, agent } = options
  const { prepared } = script.checked
  if (prepared === null) throw new AppError('internal', `${script.path} was checked and could not be prepared`)
  const run: NewRun = {
    runId: RunId.parse(ulid()),
    title: options.title ?? defaultTitle(script.checked.meta, script.path),
    source: { kind: script.name === null ? 'file' : 'named', path: script.path, name: script.name, sha256: script.sha256, ext: script.ext },
    ...(options.args !== undefined && { args: options.args }),
    project,
    workspace: 'current',
    git: await gitHead(project),
    limits: limitsOf(options),
    seed: randomBytes(16).toString('hex'),
    engine: VERSION,
    backend: agent ?? null,
    policy: 'content',
    text: script.text,
  }
  const created = await store.create(run, requestId, currentOwner())
  if (created.existed) return followRun(store, created.runId)
  return take(
    {
      project,
      data,
      runId: created.runId,
      claim: { t: 'first', token: created.token },
      input: {
        script: { sha256: script.sha256, text: script.text, ext: script.ext },
        ...(options.args !== undefined && { args: options.args }),
        engine: VERSION,
        policy: 'content',
        backend: run.backend,
      },
      script: prepared,
      limits: run.limits,
      declaredPhases: script.checked.meta?.phases ?? [],
      earlier: null,
      skipInFlight: [],
      whenWaiting: options.whenWaiting ?? 'stay',
    },
    created.number,
  )
}
