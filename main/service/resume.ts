/** Goes on with a run, or says what going on would do. The text now on disk runs, against everything that was recorded. */
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { Json } from '../../shared/json.ts'
import type { ResumePlan } from '../../shared/run/plan.ts'
import { VERSION } from '../../shared/version.ts'
import { isRepeatable } from '../engine/call-task.ts'
import { foldHistory, type History, type SavedCall, wasRunning } from '../engine/history.ts'
import { planResume } from '../engine/plan-resume.ts'
import type { RunLimits, RunRead } from '../engine/ports.ts'
import { scriptThreads } from '../engine/script-thread.ts'
import type { PreparedScript } from '../engine/source/check-script.ts'
import { titleOf } from '../engine/summary.ts'
import { type LocalRunStore, openStore, readOnlyRun } from '../store/run-store.ts'
import type { TrustStore } from '../store/trust-store.ts'
import { checkChoices, choicesOf } from './choices.ts'
import { agentUnset, checkDefaultAgent } from './default-agent.ts'
import { type HostEntry, type TakeRun, withHost } from './host-thread.ts'
import { checkInput, limitsOf } from './launch.ts'
import { childLoader } from './load-child.ts'
import { checkedText, type LoadedScript, loadScript } from './load-script.ts'
import { preflightOf, refusal, trustOf } from './preflight.ts'
import { readersOf } from './project-agents.ts'
import type { LiveRun, ResumeOptions } from './service.ts'

export interface Entries {
  host: HostEntry
  script: URL
}

interface Continuation {
  read: RunRead
  history: History
  /** `kept`: the file that the run keeps of it, when its own is gone. */
  script: LoadedScript & { prepared: PreparedScript; kept: string | null }
  args?: Json
  backend: string | null
}

export async function plan(runId: RunId, options: ResumeOptions, trusted: TrustStore, entries: Entries): Promise<ResumePlan> {
  const store = openStore(options.project)
  const going = await continuation(store, runId, options, trusted.folder)
  return planResume({
    info: going.read.info,
    records: going.read.records,
    get: (value) => store.value(runId, value),
    script: going.script.prepared,
    sha256: going.script.sha256,
    ...('args' in going && { args: going.args as Json }), // present means given
    limits: limitsOf(options, lastLimits(going.read)),
    backend: going.backend,
    readers: await readersOf(options.project, trusted.folder),
    policy: options.policy ?? 'content',
    from: options.from ?? null,
    hasSameBudget: options.budget === undefined || options.budget === going.read.view.budget,
    startScript: scriptThreads(entries.script),
    loadChild: childLoader({
      project: options.project,
      agent: going.backend,
      trusted,
      onlyPlans: true,
      kept: (sha256, ext) => store.source(runId, sha256, ext),
    }),
  })
}

/**
 * @throws AppError `run-busy` when its owner lives, `in-flight` when calls were cut off that may not be repeated unasked;
 * nothing was started then.
 */
export async function resume(runId: RunId, options: ResumeOptions, trusted: TrustStore, entries: Entries): Promise<LiveRun> {
  return withHost(entries.host, (take) => checkAndStart(runId, options, trusted, take))
}

async function checkAndStart(runId: RunId, options: ResumeOptions, trusted: TrustStore, take: TakeRun): Promise<LiveRun> {
  const { project } = options
  const store = openStore(project)
  const going = await continuation(store, runId, options, trusted.folder)
  const { read, history, script, backend } = going
  if (read.ownerAlive && read.view.endedAt === null) {
    throw new AppError(
      'run-busy',
      `Attempt ${read.view.attempt} of this run is still at work, in process ${read.owner.pid} on ${read.owner.host}. Stop it with: reprise stop ${runId}`,
    )
  }
  const choices = choicesOf(options, lastAttempt(read)?.choices)
  await checkChoices(
    { ...options, ...choices.choices, ...(backend !== null && { agent: backend }) },
    script.checked.uses,
    project,
    trusted.folder,
  )
  await refuseUnready(going, options, trusted)
  const cutOff = inFlight(history, await readersOf(project, trusted.folder))
  if (cutOff.length > 0 && (options.inFlight === undefined || options.inFlight === 'stop')) throw inFlightError(runId, cutOff)
  return take(
    {
      project,
      data: trusted.folder,
      runId,
      claim: { t: 'next' },
      input: {
        script: { sha256: script.sha256, text: script.text, ext: script.ext },
        ...('args' in going && { args: going.args as Json }), // present means given
        engine: VERSION,
        policy: options.policy ?? 'content',
        ...(options.from !== undefined && { from: options.from }),
        backend,
        ...choices,
      },
      script: script.prepared,
      limits: limitsOf(options, lastLimits(read)),
      declaredPhases: script.checked.meta?.phases ?? [],
      earlier: read.view,
      skipInFlight: options.inFlight === 'skip' ? cutOff.map((call) => call.call) : [],
      continueSessions: options.inFlight === 'continue',
      whenWaiting: options.whenWaiting ?? 'stay',
    },
    read.info.number,
  )
}

function lastAttempt({ records }: RunRead) {
  return records.findLast((record) => record.t === 'attempt')
}

/** A limit that a resume raised holds for the resumes after it. */
function lastLimits({ info, view }: RunRead): RunLimits {
  return { ...info.limits, budget: view.budget, maxCost: view.maxCost }
}

async function continuation(store: LocalRunStore, runId: RunId, options: ResumeOptions, data: string): Promise<Continuation> {
  checkInput(options.args)
  await checkDefaultAgent(options.agent, options.project, data)
  const read = await store.readForResume(runId)
  if (read.info.redacted === true) throw readOnlyRun(runId)
  const history = foldHistory(read.records)
  const last = history.attempts.at(-1)
  if (options.from !== undefined && !history.calls.some((call) => call.call === options.from)) {
    throw new AppError('call-unknown', `This run has no call ${options.from}. List its calls with: reprise show ${runId}`)
  }
  const script = await currentText(store, read, options)
  const args = 'args' in options ? options.args : last?.args
  return { read, history, script, backend: options.agent ?? last?.backend ?? null, ...(args !== undefined && { args }) }
}

/** The file as it is now; when it is gone, the text that ran last, which the run keeps. */
async function currentText(store: LocalRunStore, read: RunRead, options: ResumeOptions): Promise<Continuation['script']> {
  const { info, view } = read
  const path = options.file ?? info.source.path
  let kept: string | null = null
  const loaded = await loadScript(options.project, { path }).catch(async (error: unknown) => {
    // An older tool kept no text of its runs.
    if (options.file !== undefined || view.script === '' || AppError.wrap(error).code !== 'file-missing') throw error
    kept = store.sourcePath(info.runId, view.script, info.source.ext)
    return checkedText(await store.source(info.runId, view.script, info.source.ext), path, info.source.ext, null)
  })
  const { prepared, diagnostics } = loaded.checked
  const refused = refusal(path, diagnostics)
  if (refused !== null) throw refused
  if (prepared === null) throw new AppError('internal', `${path} was checked and could not be prepared`)
  return { ...loaded, prepared, kept }
}

/**
 * A text that changed since it was trusted is asked about again, its own or that of a workflow that it calls; and what leaves the
 * agent to the person needs one.
 */
async function refuseUnready({ script, read, backend }: Continuation, options: ResumeOptions, trusted: TrustStore): Promise<void> {
  // What ran on another machine was trusted there, not here.
  const foreign = read.info.imported?.attempts ?? 0
  const own = read.records.filter((record) => record.t === 'attempt' && record.attempt > foreign)
  const hasRun = own.some((record) => record.t === 'attempt' && record.script === script.sha256 && record.backend === backend)
  const found = await preflightOf(script, options.project, backend ?? undefined, trusted)
  if (backend === null && found.agentLeftBy !== null) throw agentUnset(found.agentLeftBy)
  const refused = refusal(script.path, found.diagnostics)
  if (refused !== null && !hasRun) throw refused
  const needed = hasRun ? trustOf(found.children) : found.trustNeeded
  if (needed !== null) {
    const path = script.kept ?? script.path
    throw new AppError('not-trusted', `${path} is not trusted as it is now, and ${needed}. Read it, then go on with --yes.`, {
      data: { path },
    })
  }
}

function inFlight(history: History, readers: ReadonlySet<string>): SavedCall[] {
  const backend = history.attempts.at(-1)?.backend ?? null
  return history.calls.filter((call) => wasRunning(call, history) && !isRepeatable(call.kind, call.params, backend, readers))
}

function inFlightError(runId: RunId, calls: SavedCall[]): AppError {
  const named = calls.map((call) => `${call.call} “${call.label ?? titleOf(call.kind, call.params)}”`)
  const many = calls.length === 1 ? '1 call was' : `${calls.length} calls were`
  const message = `${many} running when the run was cut off, and may have done part of the work: ${named.join(', ')}. Nothing was started. Choose: reprise resume ${runId} --in-flight repeat|skip|continue`
  return new AppError('in-flight', message, { data: calls.map((call) => ({ call: call.call, label: call.label, phase: call.phase })) })
}
