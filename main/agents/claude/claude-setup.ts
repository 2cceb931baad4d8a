/** How Claude Code is started for a call, whichever way it is talked with. */
import type { ProfileOf } from '../../../shared/contract/agents.ts'
import type { AgentCall } from '../agent-runner.ts'
import { NOT_HERE, rulesIn, toolsOf } from './claude-tools.ts'

/** Nothing but the work goes over the network, and no version changes in the middle of a run. */
const QUIET: Readonly<Record<string, string>> = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_TELEMETRY: '1',
}
export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const
export const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions'] as const

export interface ClaudeSetup {
  cwd: string
  env: Record<string, string>
  model: string | undefined
  effort: (typeof EFFORTS)[number] | undefined
  mode: (typeof MODES)[number]
  tools: string[] | undefined
  /** Rules such as `Bash(git log:*)` that the profile allows without a question. */
  allowedRules: string[]
  disallowedTools: string[]
  instructions: string | undefined
  settingSources: ('user' | 'project' | 'local')[]
  maxTurns: number | undefined
  session: string | undefined
}

/** `problems`: wishes that Claude Code can't fulfil, in words. */
export function claudeSetup(
  profile: ProfileOf<'claude'>,
  call: AgentCall,
  env: Readonly<Record<string, string>>,
): ClaudeSetup & { problems: string[] } {
  const problems: string[] = []
  const known = <T extends string>(list: readonly T[], wish: string | undefined, what: string): T | undefined => {
    const found = list.find((one) => one === wish)
    if (wish !== undefined && found === undefined) problems.push(`Claude Code knows no ${what} “${wish}”; it uses its own`)
    return found
  }
  const wished = known(MODES, profile.mode, 'mode') ?? 'default'
  const mode = wished === 'bypassPermissions' && (call.permissions !== 'full' || call.readOnly) ? 'default' : wished
  if (mode !== wished) problems.push('The mode “bypassPermissions” needs a profile with all permissions and a call that may change things')
  return {
    ...{ cwd: call.cwd, model: call.model, effort: known(EFFORTS, call.effort, 'effort'), mode, tools: toolsOf(call) },
    env: { ...QUIET, ...(call.maxTokens !== undefined && { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(call.maxTokens) }), ...env },
    allowedRules: call.permissions === 'allow-listed' && !call.readOnly ? rulesIn(call.allowedTools ?? []) : [],
    ...{ disallowedTools: [...NOT_HERE], instructions: call.instructions, settingSources: profile.options.settingSources ?? [] },
    ...{ maxTurns: profile.options.maxTurns, session: call.session, problems },
  }
}
