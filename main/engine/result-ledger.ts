/** Writes how calls ended: durable in the journal before anybody hears of it, and counted against the limits of the run. */
import type { CallResult, NewRecord, Usage } from '../../shared/run/record.ts'
import { FailureStreak } from './failure-streak.ts'
import type { HeldJournal } from './held-journal.ts'
import type { Settled } from './live-call.ts'
import type { OpenRun, RunLimits } from './ports.ts'
import type { AskedCall } from './sandbox/protocol.ts'
import { Spending, type Spent } from './spending.ts'

type Result = Extract<Settled, { kind: 'result' }>
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }

export interface ResultLedgerOptions {
  run: OpenRun
  journal: HeldJournal
  backend: string | null
  limits: RunLimits
}

export class ResultLedger {
  readonly #options: ResultLedgerOptions
  readonly #failures = new FailureStreak()
  readonly #saving = new Set<Promise<unknown>>()
  #spending: Spending

  constructor(options: ResultLedgerOptions) {
    this.#options = options
    this.#spending = new Spending(options.limits, [])
  }

  /** Counts what the run has spent before this attempt. */
  begin(spent: readonly Spent[]): void {
    this.#spending = new Spending(this.#options.limits, spent)
  }

  /** Resolves when the result is durable and was handed on. @param then what is done with it, given the time of its record */
  save(asked: AskedCall, settled: Result, then: (at: number | undefined) => void): Promise<void> {
    const saving = this.#write(asked, settled, then).finally(() => this.#saving.delete(saving))
    this.#saving.add(saving)
    return saving
  }

  /** Resolves when no result is on its way to the journal: what is paid stands there before the end does. */
  async atRest(): Promise<void> {
    while (this.#saving.size > 0) await Promise.allSettled(this.#saving)
  }

  async #write(asked: AskedCall, settled: Result, then: (at: number | undefined) => void): Promise<void> {
    const { run, journal } = this.#options
    const { result, usage, cost } = settled
    const saved: CallResult = result.kind === 'ok' ? { kind: 'ok', output: await journal.beside(() => run.put(result.output)) } : result
    await journal.save([this.record(asked.call, saved, settled)], true, ([record]) => {
      this.#spending.add({ kind: asked.kind, phase: asked.phase, outcome: result.kind, usage, cost })
      then(record?.at)
    })
  }

  /** True when so many siblings in a row have died alike that no further one is to be tried. */
  opensBreaker({ kind, phase }: AskedCall, { result }: Result): boolean {
    if (kind !== 'agent' && kind !== 'check') return false
    return this.#failures.opensOn(phase, result.kind === 'dead' ? result.reason : null)
  }

  /** Why this call may not start while calls of these phases are running; null when it may. */
  refusal({ kind, phase }: AskedCall, running: readonly (string | null)[]): 'budget' | 'money' | null {
    return kind === 'agent' ? this.#spending.refusal(phase, running) : null
  }

  /** The record of a result; without `of` it spent nothing. */
  record(call: number, result: CallResult, of?: Omit<Result, 'kind' | 'result'>): NewRecord {
    const { run, backend: usual } = this.#options
    const { usage, cost, ms, tries, backend } = of ?? { usage: NO_USAGE, cost: null, ms: 0, tries: 0, backend: usual }
    return { t: 'result', call, attempt: run.attempt, result, usage, cost, ms, tries, backend }
  }
}
