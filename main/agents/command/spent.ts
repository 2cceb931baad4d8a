/** Finds what a call has used in what the program wrote, by the profile's patterns. */
import type { CommandOptions } from '../../../shared/contract/agents.ts'
import type { Usage } from '../../../shared/run/record.ts'
import type { Output } from '../command.ts'

/** `cost` in US dollars; null when the program does not tell. */
export interface Spent {
  usage: Usage
  cost: number | null
}

export function spentOf({ stdout, stderr }: { stdout: Output; stderr: Output }, { usage: patterns }: CommandOptions): Spent {
  const written = `${stdout.text}\n${stderr.text}`
  const number = (pattern: string | undefined): number | null => (pattern === undefined ? null : lastNumber(written, pattern))
  const cached = number(patterns?.cachedInputTokens)
  return {
    usage: {
      inputTokens: number(patterns?.inputTokens) ?? 0,
      outputTokens: number(patterns?.outputTokens) ?? 0,
      ...(cached !== null && { cachedInputTokens: cached }),
    },
    cost: number(patterns?.cost),
  }
}

/** The last match is the sum, where a program counts up. Groups of thousands may be set off by commas or underscores. */
function lastNumber(text: string, pattern: string): number | null {
  const found = [...text.matchAll(new RegExp(pattern, 'gm'))].at(-1)?.[1]
  const value = found === undefined ? Number.NaN : Number(found.replaceAll(/[,_]/g, ''))
  return Number.isFinite(value) && value >= 0 ? value : null
}
