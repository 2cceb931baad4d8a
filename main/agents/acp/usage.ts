/** Tokens of a turn. Agents tell them in the response to a prompt, which the protocol allows but does not define yet. */
import type { PromptResponse } from '@agentclientprotocol/sdk'
import * as z from 'zod'
import type { Usage } from '../../../shared/run/record.ts'

const count = z.number().nonnegative()
const Told = z.object({
  inputTokens: count,
  outputTokens: count,
  cachedReadTokens: count.nullish(),
  thoughtTokens: count.nullish(),
})
const Quota = z.object({ quota: z.object({ token_count: z.object({ input_tokens: count, output_tokens: count }) }) })

/** Null when the agent says that there is nothing to tell: no model has answered. */
export function usageOf(response: PromptResponse): Usage | null {
  const given = 'usage' in response ? response.usage : undefined
  const told = Told.safeParse(given)
  if (told.success) {
    const { inputTokens, outputTokens, cachedReadTokens, thoughtTokens } = told.data
    return {
      inputTokens,
      outputTokens,
      ...(cachedReadTokens != null && { cachedInputTokens: cachedReadTokens }),
      ...(thoughtTokens != null && { reasoningTokens: thoughtTokens }),
    }
  }
  const quota = Quota.safeParse(response._meta)
  if (quota.success) {
    const { input_tokens, output_tokens } = quota.data.quota.token_count
    return { inputTokens: input_tokens, outputTokens: output_tokens }
  }
  return given === null ? null : { inputTokens: 0, outputTokens: 0 }
}

export function added(a: Usage, b: Usage): Usage {
  const sum: Usage = { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens }
  for (const key of ['cachedInputTokens', 'reasoningTokens'] as const) {
    const tokens = (a[key] ?? 0) + (b[key] ?? 0)
    if (tokens > 0) sum[key] = tokens
  }
  return sum
}

export function usageWords({ inputTokens, outputTokens, cachedInputTokens = 0 }: Usage): string {
  const cached = cachedInputTokens === 0 ? '' : ` (${cachedInputTokens} cached)`
  return `${inputTokens} tokens in${cached}, ${outputTokens} out`
}
