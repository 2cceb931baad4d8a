/**
 * The day's limits on money, of a profile and of all of them: a call is not started when the limit is reached, counting what
 * running calls are expected to cost. The run then pauses until midnight, and nothing is lost.
 */
import type { Profile } from '../../shared/contract/agents.ts'
import type { AgentOutcome } from '../agents/agent-runner.ts'
import { tellsCost } from '../agents/cost.ts'
import type { DaySpending } from '../store/day-spending.ts'

export interface DayLimitOptions {
  spending: DaySpending
  /** US dollars for all profiles together; null for no limit. */
  whole(): Promise<number | null>
  now(): number
}

export class DayLimit {
  private readonly options: DayLimitOptions
  /** Calls at work, by profile. */
  private readonly running = new Map<string, number>()

  constructor(options: DayLimitOptions) {
    this.options = options
  }

  /** Runs a call that costs money within the limits; the cost of its outcome counts from then on. */
  async within(profile: Profile, work: () => Promise<AgentOutcome>, costOf: (outcome: AgentOutcome) => number): Promise<AgentOutcome> {
    const whole = await this.options.whole()
    if (whole !== null && !tellsCost(profile)) return unpriced(profile.name, whole)
    // From the look to the count nothing else may happen, or calls that start together would all pass.
    const refused = this.refusal(profile, whole)
    if (refused !== null) return refused
    this.count(profile.name, 1)
    try {
      const outcome = await work()
      const cost = costOf(outcome)
      if (cost > 0) this.options.spending.add(profile.name, cost, this.options.now())
      return outcome
    } finally {
      this.count(profile.name, -1)
    }
  }

  private refusal({ name, maxCostPerDay }: Profile, whole: number | null): AgentOutcome | null {
    if (whole === null && maxCostPerDay === undefined) return null
    const now = this.options.now()
    const spent = this.options.spending.of(now)
    const expected = (profile: string): number => {
      const { cost, calls } = spent.get(profile) ?? { cost: 0, calls: 0 }
      return cost + (calls === 0 ? 0 : cost / calls) * (this.running.get(profile) ?? 0)
    }
    if (maxCostPerDay !== undefined && expected(name) >= maxCostPerDay) return over(`“${name}” has`, maxCostPerDay, now)
    const total = [...spent.keys()].reduce((sum, profile) => sum + expected(profile), 0)
    return whole !== null && total >= whole ? over('All agents together have', whole, now) : null
  }

  private count(profile: string, by: number): void {
    this.running.set(profile, (this.running.get(profile) ?? 0) + by)
  }
}

function unpriced(name: string, limit: number): AgentOutcome {
  const detail = `Nobody can tell what “${name}” costs, so the limit of $${limit.toFixed(2)} a day would not hold. Give its profile “pricing”`
  return { kind: 'dead', reason: 'refused', detail, retryable: false, usage: { inputTokens: 0, outputTokens: 0 } }
}

function over(who: string, limit: number, now: number): AgentOutcome {
  const midnight = new Date(now)
  midnight.setHours(24, 0, 0, 0)
  const detail = `${who} reached the limit of $${limit.toFixed(2)} for today. Raise it in the settings, or resume tomorrow`
  return { kind: 'halt', reason: 'quota', detail, resetAt: midnight.toISOString() }
}
