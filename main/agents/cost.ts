/** What tokens cost by a profile's prices. */
import type { Pricing, Profile } from '../../shared/contract/agents.ts'
import type { Usage } from '../../shared/run/record.ts'

const MILLION = 1_000_000

/** Whether what its calls cost can be known: by its prices, or because the backend says so itself. */
export function tellsCost(profile: Profile): boolean {
  if (profile.pricing !== undefined || profile.backend === 'claude' || profile.backend === 'simulated') return true
  return profile.backend === 'command' && profile.options.usage?.cost !== undefined
}

/**
 * US dollars; null without prices. Cached input is part of the input and has its own price when one is given; reasoning is part
 * of the output.
 */
export function costOf({ inputTokens, cachedInputTokens = 0, outputTokens }: Usage, pricing: Pricing | undefined): number | null {
  if (pricing === undefined) return null
  const cached = Math.min(cachedInputTokens, inputTokens)
  const cachedPrice = pricing.cachedInputPerMillion ?? pricing.inputPerMillion
  return ((inputTokens - cached) * pricing.inputPerMillion + cached * cachedPrice + outputTokens * pricing.outputPerMillion) / MILLION
}
