/**
 * What a resume would do: executes the script against its history in a thread of its own that stops at the first point
 * where something would have to run. Starts nothing, writes nothing, prints nothing.
 */
import { AppError } from '../../shared/errors.ts'
import { canonicalJson, type Json } from '../../shared/json.ts'
import type { WhyLive } from '../../shared/run/events.ts'
import type { PlannedCall, ResumePlan } from '../../shared/run/plan.ts'
import type { CallKind, JournalRecord, ResumePolicy, Value } from '../../shared/run/record.ts'
import { isRepeatable, requestOf } from './call-task.ts'
import { foldHistory, type History, recordedCalls, type SavedCall, wasRunning } from './history.ts'
import { isOlderKey } from './older-key.ts'
import { keptText, referenceOf } from './openings.ts'
import type { LoadChild, RunInfo, RunLimits } from './ports.ts'
import type { AskedCall, FromScript, OpenedChild } from './sandbox/protocol.ts'
import type { StartScript } from './script-thread.ts'
import type { PreparedScript } from './source/check-script.ts'
import { titleOf } from './summary.ts'
import { UnexpectedCalls } from './unexpected-calls.ts'

export interface PlanOptions {
  info: RunInfo
  records: readonly JournalRecord[]
  /** Reads a recorded value that is not inline. */
  get(value: Value): Promise<Json>
  script: PreparedScript
  sha256: string
  args?: Json
  limits: RunLimits
  backend: string | null
  /** Agents whose calls may be repeated without asking. */
  readers?: ReadonlySet<string>
  policy: ResumePolicy
  from: number | null
  /** The budget is the one of the attempt before. */
  hasSameBudget: boolean
  startScript: StartScript
  loadChild: LoadChild
}

/** Everything the script asked for until it stopped, or came to its end. */
interface DryRun {
  asked: AskedCall[]
  complete: boolean
}

/** @throws AppError when the script fails before it comes to a live call. */
export async function planResume(options: PlanOptions): Promise<ResumePlan> {
  const { info, records, sha256 } = options
  const history = withChoice(foldHistory(records), options.from)
  const children = await readChildren(options, history)
  const dry = await dryRun(options, history, children.opened)
  const askedIds = new Set(dry.asked.map((asked) => asked.call))
  const unreached = history.calls.filter((call) => !askedIds.has(call.call))
  const live = dry.asked.filter((asked) => asked.whyLive !== null && !asked.lazy)
  const { certainLive, left } = explain(live, dry.asked, unreached, history)
  const last = history.attempts.at(-1)
  return {
    runId: info.runId,
    attempt: (last?.attempt ?? 0) + 1,
    replayed: dry.asked.filter((asked) => asked.whyLive === null && isWork(asked)).map(planned),
    certainLive,
    notReached: left.filter((call) => call.saved?.result.kind === 'ok' && isWork(call)).map(plannedSaved),
    scriptChanged: last !== undefined && last.script !== sha256,
    childrenChanged: children.changed,
    unexpected: children.changed.length === 0 ? warnings(dry.asked, history) : [],
    inFlight: history.calls
      .filter((call) => wasRunning(call, history) && !isRepeatable(call.kind, call.params, last?.backend ?? null, options.readers))
      .map(plannedSaved),
    estimate: estimate(unreached.filter(isWork), live.filter(isWork), history.calls.filter(isWork)),
    complete: dry.complete,
  }
}

/** As the attempt that is planned would record it. */
function withChoice(history: History, from: number | null): History {
  if (from === null) return history
  const attempt = (history.attempts.at(-1)?.attempt ?? 0) + 1
  return { ...history, choices: [...history.choices, { call: from, attempt }], steadySince: attempt }
}

function warnings(asked: readonly AskedCall[], history: History): string[] {
  const unexpected = new UnexpectedCalls(history)
  return asked.flatMap((call) => unexpected.warning(call) ?? [])
}

/** Another text or another input asks for other things by right. */
function isOtherInput({ sha256, args }: PlanOptions, last: History['attempts'][number]): boolean {
  return last.script !== sha256 || canonicalJson(last.args ?? null) !== canonicalJson(args ?? null)
}

/** Opening a child costs nothing and repeats nothing; what it does is in its own calls. */
function isWork({ kind }: { kind: CallKind }): boolean {
  return kind !== 'open-child'
}

/** The texts that recorded openings would get now, by call, and the names of those that are not what ran before. */
async function readChildren(
  { loadChild }: PlanOptions,
  history: History,
): Promise<{ opened: Map<number, OpenedChild>; changed: string[] }> {
  const opened = new Map<number, OpenedChild>()
  const changed = new Set<string>()
  for (const { call, kind, label, params, saved } of history.calls) {
    if (kind !== 'open-child' || saved?.result.kind !== 'ok') continue
    const kept = keptText('inline' in saved.result.output ? saved.result.output.inline : null)
    try {
      const { prepared, sha256 } = await loadChild(referenceOf(params), kept)
      opened.set(call, { script: prepared })
      if (sha256 !== kept?.sha256) changed.add(label ?? '')
    } catch (thrown) {
      opened.set(call, { refused: AppError.wrap(thrown).toData() })
      changed.add(label ?? '')
    }
  }
  return { opened, changed: [...changed] }
}

function dryRun(options: PlanOptions, history: History, children: ReadonlyMap<number, OpenedChild>): Promise<DryRun> {
  const { info, script, limits, policy, backend, hasSameBudget, startScript } = options
  const last = history.attempts.at(-1)
  const asked: AskedCall[] = []
  const saved = new Map(history.calls.map((call) => [call.call, call]))
  return new Promise((resolve, reject) => {
    const thread = startScript(
      {
        script,
        ...(options.args !== undefined && { args: options.args }),
        seed: info.seed,
        startedAt: history.attempts[0]?.at ?? info.createdAt,
        attempt: (history.attempts.at(-1)?.attempt ?? 0) + 1,
        budget: limits.budget,
        maxAgents: limits.maxAgents,
        policy,
        history: recordedCalls(history, backend, hasSameBudget && last !== undefined && !isOtherInput(options, last)),
      },
      {
        batch: (batch) => batch.forEach(onMessage),
        died: (error) => reject(AppError.from(error)),
      },
    )
    const finish = (complete: boolean): void => {
      void thread.terminate()
      resolve({ asked, complete })
    }
    function onMessage(message: FromScript): void {
      switch (message.t) {
        case 'call':
          asked.push(message)
          return
        case 'start': {
          const lazy = asked.find((other) => other.call === message.call)
          if (lazy !== undefined) lazy.lazy = false
          return
        }
        case 'need': {
          const child = children.get(message.call)
          if (child !== undefined) return thread.post({ t: 'value', call: message.call, output: child as unknown as Json }) // plain data
          const result = saved.get(message.call)?.saved?.result
          const output = result?.kind === 'ok' ? options.get(result.output) : Promise.resolve(null)
          output.then((value) => thread.post({ t: 'value', call: message.call, output: value }), reject)
          return
        }
        case 'idle':
          return finish(false)
        case 'settled':
          return finish(true)
        case 'stuck':
        case 'limit':
          return finish(false)
        default:
      }
    }
  })
}

/** Each live call with its reason; one whose place held another request before is told apart from a new one. `left` holds no place of these. */
function explain(
  live: AskedCall[],
  asked: AskedCall[],
  unreached: SavedCall[],
  history: History,
): { certainLive: ResumePlan['certainLive']; left: SavedCall[] } {
  const left = [...unreached]
  const certainLive = live.map((call) => {
    const why = call.whyLive ?? 'new-call'
    if (why !== 'new-call') return { ...planned(call), why }
    const before = takePair(call, asked, left, history)
    return before === null ? { ...planned(call), why } : { ...planned(call), ...difference(before, call) }
  })
  return { certainLive, left }
}

/** The recorded call of the same kind with the same label and phase, or, without labels, at the same place of the phase. */
function takePair(call: AskedCall, asked: AskedCall[], left: SavedCall[], history: History): SavedCall | null {
  const labelled = call.label !== null
  const inPhase = asked.filter((other) => other.kind === call.kind && other.phase === call.phase).indexOf(call)
  const placed = history.calls.filter((other) => other.kind === call.kind && other.phase === call.phase)[inPhase]
  const at = left.findIndex(
    (other) =>
      other.kind === call.kind &&
      other.phase === call.phase &&
      other.label === call.label &&
      (labelled || other === placed) &&
      !isOlderKey(other.fp), // what it asked was not recorded
  )
  return at === -1 ? null : (left.splice(at, 1)[0] ?? null)
}

function difference(before: SavedCall, now: AskedCall): { why: WhyLive; old: string; new: string } {
  const old = requestOf(before.params)
  const asked = requestOf(now.request)
  if (old['prompt'] !== asked['prompt']) return { why: 'prompt-changed', old: String(old['prompt']), new: String(asked['prompt']) }
  const changed = [...new Set([...Object.keys(old), ...Object.keys(asked)])].filter(
    (key) => JSON.stringify(old[key]) !== JSON.stringify(asked[key]),
  )
  const say = (request: typeof old): string => changed.map((key) => `${key}: ${JSON.stringify(request[key]) ?? 'not given'}`).join(', ')
  return { why: 'options-changed', old: say(old), new: say(asked) }
}

/** Going by last time: what was made before and is not certain now, and what all of that spent on average. */
function estimate(unreached: SavedCall[], live: AskedCall[], recorded: SavedCall[]): ResumePlan['estimate'] {
  const open = unreached.filter((call) => call.saved?.result.kind !== 'ok')
  const spent = recorded.flatMap((call) => (call.saved?.result.kind === 'ok' ? [call.saved.usage.outputTokens] : []))
  const mean = spent.length === 0 ? 0 : spent.reduce((sum, tokens) => sum + tokens, 0) / spent.length
  return { calls: open.length, outputTokens: Math.round(mean * (live.length + open.length)) }
}

function planned({ call, kind, label, phase, request }: AskedCall): PlannedCall {
  return { callId: call, kind, label, title: label ?? titleOf(kind, request), phase }
}

function plannedSaved({ call, kind, label, phase, params }: SavedCall): PlannedCall {
  return { callId: call, kind, label, title: label ?? titleOf(kind, params), phase }
}
