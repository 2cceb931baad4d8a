/**
 * The replay scheduler: decides for every call of a script whether it is replayed or live, and in which order results are
 * delivered. Results are delivered one at a time, each followed by a run of the script until it is quiet, in the order in
 * which they were recorded; so an unchanged script sees what it saw before, races and shared state included.
 */
import type { Json } from '../../../shared/json.ts'
import type { WhyLive } from '../../../shared/run/events.ts'
import type { CallKind, ResumePolicy } from '../../../shared/run/record.ts'
import type { AskedCall, FromScript, RecordedCall } from './protocol.ts'
import { RankHeap } from './rank-heap.ts'

/** What a hook asks for; `deliver` hands the result to the waiting script. */
export interface Ask {
  kind: CallKind
  fp: string
  label: string | null
  phase: string | null
  request: Json
  /** Asked only when it is told: finding it costs more than all else in a call. */
  line(): number | null
  deliver(output: Json): void
}

interface Arrived {
  call: number
  output: Json
  outputTokens: number
  at: number
}

interface Pending {
  rank: number
  recorded: RecordedCall
  ask: Ask
}

/** What a step did: `delivered` and `started` ask for another step once the script is quiet again. */
export type Step = 'delivered' | 'started' | 'fetching' | 'idle' | 'stuck'

export interface SchedulerOptions {
  history: readonly RecordedCall[]
  policy: ResumePolicy
  startedAt: number
  attempt: number
  post(message: FromScript): void
}

export class Scheduler {
  /** Milliseconds since 1970 that `now()` says: when the result last delivered was recorded. */
  now: number
  /** Output tokens of the results delivered so far, replayed or live. */
  spent = 0
  /** True once a live result was delivered, or from the start in a first attempt: what follows is new to everybody. */
  isLive: boolean
  /** Agent calls of this run by id: the recorded ones that count, and each new one. */
  agents: number

  readonly #byFingerprint = new Map<string, RecordedCall[]>()
  /** Recorded calls that this script is to ask for again, the last delivered first out. */
  readonly #expected: RecordedCall[]
  readonly #asked = new Set<number>()
  /** The latest recorded result that the script has seen: what was recorded before it and not asked for belongs to a way not taken. */
  #lastRank = 0
  readonly #pending = new RankHeap<Pending>()
  readonly #arrived: Arrived[] = []
  readonly #live = new Map<number, Ask>()
  #lazy: { call: number; ask: Ask }[] = []
  #fetching: Pending | null = null
  #nextCall: number
  #reuseClosed = false
  readonly #options: SchedulerOptions

  constructor(options: SchedulerOptions) {
    this.#options = options
    this.now = options.startedAt
    this.isLive = options.attempt === 1
    this.#nextCall = 1
    this.agents = 0
    for (const recorded of options.history) {
      const queue = this.#byFingerprint.get(recorded.fp)
      if (queue === undefined) this.#byFingerprint.set(recorded.fp, [recorded])
      else queue.push(recorded)
      this.#nextCall = Math.max(this.#nextCall, recorded.call + 1)
      if (recorded.counts) this.agents += 1
    }
    for (const queue of this.#byFingerprint.values()) queue.reverse() // first in, first out by `pop`
    this.#expected = options.history.filter(({ isExpected }) => isExpected).sort((a, b) => a.rank - b.rank)
  }

  /** True when this ask would take a place in the limit of agents: the journal has no call for it that did. */
  takesPlace(fp: string): boolean {
    return this.#byFingerprint.get(fp)?.at(-1)?.counts !== true
  }

  /** Takes the call: the n-th call with a fingerprint takes the n-th recorded one. Gives its number. */
  ask(ask: Ask): number {
    const recorded = this.#byFingerprint.get(ask.fp)?.pop()
    const whyLive = this.#whyLive(recorded)
    if (whyLive !== null && this.#options.policy === 'prefix' && closesPrefix(recorded)) this.#reuseClosed = true
    const call = recorded?.call ?? this.#nextCall++
    if (recorded === undefined || !recorded.counts) this.agents += ask.kind === 'agent' ? 1 : 0
    const lazy = whyLive !== null && recorded?.state === 'lazy'
    this.#asked.add(call)
    const isUnexpected = recorded === undefined && this.#expectsMore()
    this.#options.post(asked(ask, call, whyLive, { isNew: recorded === undefined, lazy, isUnexpected }))
    if (whyLive === null && recorded !== undefined) this.#pending.push({ rank: recorded.rank, recorded, ask })
    else if (lazy) this.#lazy.push({ call, ask })
    else this.#live.set(call, ask)
    return call
  }

  /** A live result, already durable in the journal; of a lazy call when a person skipped it before its start. */
  arrive(result: Arrived): void {
    const lazy = this.#lazy.find(({ call }) => call === result.call)
    if (lazy !== undefined) {
      this.#lazy = this.#lazy.filter((other) => other !== lazy)
      this.#live.set(lazy.call, lazy.ask)
    }
    this.#arrived.push(result)
  }

  /** A large recorded result that was asked for with `need`. */
  fetched(call: number, output: Json): void {
    const pending = this.#fetching
    if (pending?.recorded.call !== call) return
    this.#fetching = null
    this.#deliverReplay(pending, output)
  }

  /** One move at a quiet point. */
  step(): Step {
    if (this.#fetching !== null) return 'fetching'
    const pending = this.#pending.pop()
    if (pending !== undefined) {
      if (pending.recorded.output === undefined) {
        this.#fetching = pending
        this.#options.post({ t: 'need', call: pending.recorded.call })
        return 'fetching'
      }
      this.#deliverReplay(pending, pending.recorded.output)
      return 'delivered'
    }
    const arrived = this.#arrived.shift()
    if (arrived !== undefined) return this.#deliverLive(arrived)
    if (this.#live.size > 0) return 'idle'
    if (this.#lazy.length === 0) return 'stuck'
    for (const { call, ask } of this.#lazy) {
      this.#live.set(call, ask)
      this.#options.post({ t: 'start', call })
    }
    this.#lazy = []
    return 'started'
  }

  /** The body has settled: replays that nobody waited for are replayed all the same, so the counts are whole. */
  finish(): void {
    for (const { recorded } of this.#pending.drain()) this.#options.post({ t: 'delivered', call: recorded.call })
  }

  /** Up to the first live result an unchanged script can only ask for what it asked for before. */
  #expectsMore(): boolean {
    if (this.isLive) return false
    while (this.#asked.has(this.#expected.at(-1)?.call ?? 0)) this.#expected.pop()
    return (this.#expected.at(-1)?.rank ?? 0) > this.#lastRank
  }

  #deliverReplay({ recorded, ask }: Pending, output: Json): void {
    this.#lastRank = Math.max(this.#lastRank, recorded.rank)
    this.now = recorded.at
    this.spent += recorded.outputTokens
    this.#options.post({ t: 'delivered', call: recorded.call })
    ask.deliver(output)
  }

  #deliverLive(arrived: Arrived): Step {
    const ask = this.#live.get(arrived.call)
    if (ask === undefined) return 'delivered'
    this.#live.delete(arrived.call)
    this.now = arrived.at
    this.spent += arrived.outputTokens
    this.isLive = true
    ask.deliver(arrived.output)
    return 'delivered'
  }

  /** Null: replayed. Else why it is executed. */
  #whyLive(recorded: RecordedCall | undefined): WhyLive | null {
    const { policy } = this.#options
    if (recorded === undefined) return 'new-call'
    if (recorded.state !== 'reusable') return recorded.why
    // An opening repeats no work: the text now on disk runs either way, and its calls are decided one by one.
    if (recorded.kind === 'open-child') return null
    if (policy === 'none' || recorded.takenAfter?.some((call) => this.#asked.has(call)) === true) return 'you-chose'
    return this.#reuseClosed ? 'earlier-call-changed' : null
  }
}

/** Under `prefix`, a call that is new or died closes reuse for all made after it; one that merely had not finished does not. */
function closesPrefix(recorded: RecordedCall | undefined): boolean {
  return recorded === undefined || recorded.why === 'died-last-time'
}

function asked(ask: Ask, call: number, whyLive: WhyLive | null, how: Pick<AskedCall, 'isNew' | 'lazy' | 'isUnexpected'>): AskedCall {
  const { kind, fp, label, phase, request, line } = ask
  return { t: 'call', call, kind, fp, label, phase, request, whyLive, ...how, line: how.isUnexpected ? line() : null }
}
