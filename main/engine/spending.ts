/** What a run has spent, held against its limits in tokens and money. */
import type { CallKind, CallResult, Usage } from '../../shared/run/record.ts'
import type { RunLimits } from './ports.ts'
import { SpendingLimit } from './spending-limit.ts'

/** What one result spent, in all its tries. */
export interface Spent {
  kind: CallKind
  phase: string | null
  outcome: CallResult['kind']
  usage: Usage
  /** In US dollars, null when nobody told. */
  cost: number | null
}

export class Spending {
  readonly #tokens: SpendingLimit
  readonly #money: SpendingLimit

  /** @param recorded every result of the run so far, of all attempts: dead ones, and those that nobody asks for any more, too */
  constructor(limits: Pick<RunLimits, 'budget' | 'maxCost'>, recorded: readonly Spent[]) {
    this.#tokens = new SpendingLimit(limits.budget)
    this.#money = new SpendingLimit(limits.maxCost)
    for (const spent of recorded) this.add(spent)
  }

  add({ kind, phase, outcome, usage, cost }: Spent): void {
    const isFinished = kind === 'agent' && (outcome === 'ok' || outcome === 'dead')
    this.#tokens.spent(usage.outputTokens)
    if (isFinished) this.#tokens.finished(phase, usage.outputTokens)
    if (cost === null) return
    this.#money.spent(cost)
    if (isFinished) this.#money.finished(phase, cost)
  }

  /** Why an agent of this phase may not start while calls of these phases are running; null when it may. */
  refusal(phase: string | null, running: readonly (string | null)[]): 'budget' | 'money' | null {
    if (!this.#tokens.allows(phase, running)) return 'budget'
    return this.#money.allows(phase, running) ? null : 'money'
  }
}
