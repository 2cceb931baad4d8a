/** The names a workflow may give as `agentType` or `model` wherever it runs, and the words for a name that nobody knows. */
import { AppError } from '../../shared/errors.ts'

/** Roles that the run's default agent plays. */
export const BUILT_IN_AGENT_TYPES = ['general-purpose', 'Explore', 'Plan'] as const
/** Agents that are there without any set-up. */
export const BUILT_IN_PROFILES = ['shell', 'simulated'] as const
export const KNOWN_MODELS = ['sonnet', 'opus', 'haiku', 'fable', 'inherit'] as const

/** The refusal of a name, with everything that would have been right. */
export function agentUnknown(name: string, known: readonly string[], where: { line?: number; column?: number } = {}): AppError {
  return new AppError('agent-unknown', agentUnknownText(name, known), { ...where, data: { name, known: [...known] } })
}

export function agentUnknownText(name: string, known: readonly string[]): string {
  return `There is no agent "${name}" here. Use one of ${known.join(', ')}, or define it in .claude/agents/${fileNameFor(name)}.md`
}

function fileNameFor(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : '<name>'
}
