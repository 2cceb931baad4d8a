/** Answers an agent that asks before it uses a tool. Its options are told apart by kind: every agent names them its own way. */
import type { PermissionOption, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import type { AgentCall, PermissionAnswer } from '../agent-runner.ts'
import { TOOL_NAME } from './structured-output.ts'
import { COMMON_NAMES, type ToolUse } from './turn.ts'

/** Kinds of tools that change something; of them, and of what goes out to the net, none is ours, whatever its title says. */
const CHANGING = ['edit', 'delete', 'move', 'execute']
const TOUCHING = [...CHANGING, 'fetch']

/** The tool by which the agent hands in its result: nobody is asked about it. */
export function isOwnTool(tool: ToolUse, meta?: { [key: string]: unknown } | null): boolean {
  const name = new RegExp(`^(?:[\\w-]+[ _.:/]+){0,2}${TOOL_NAME}\\b`)
  // Codex calls every tool of a server a command, and says beside it what it really is.
  const isHarmless = !TOUCHING.includes(tool.kind) || meta?.['is_mcp_tool_approval'] === true
  return isHarmless && (name.test(tool.name) || name.test(tool.title))
}

/** Why a tool does not exist for this call, in words; null when it does. */
export function whyBarred(call: Pick<AgentCall, 'allowedTools' | 'readOnly'>, tool: ToolUse): string | null {
  if (call.allowedTools !== undefined && !isAmong(call.allowedTools, tool)) return 'is not among the allowed tools of this call'
  if (call.readOnly && CHANGING.includes(tool.kind)) return 'may change something, and this call may only look'
  return null
}

/**
 * The name by which profile and person know a tool: of its names the one that a list has, so that a rule for `Write` is found,
 * else the usual one of its kind.
 */
export function commonName(tool: ToolUse, listed: readonly string[]): string {
  const names = namesOf(tool)
  return names.find((name) => listed.some((rule) => same(rule, name))) ?? COMMON_NAMES[tool.kind]?.[0] ?? tool.name
}

function isAmong(allowed: readonly string[], tool: ToolUse): boolean {
  return namesOf(tool).some((name) => allowed.some((rule) => same(rule, name)))
}

function namesOf(tool: ToolUse): string[] {
  return [...(COMMON_NAMES[tool.kind] ?? []), tool.name]
}

/** A rule such as `Bash(git log:*)` is about the tool `Bash`. */
function same(rule: string, name: string): boolean {
  return rule.replace(/\(.*$/s, '') === name
}

/**
 * Once is preferred even when the person allowed for good: that is remembered for this call only, while agents may write
 * theirs into settings. No option of the right kind means that the tool is not used.
 */
export function chosen(answer: PermissionAnswer, options: readonly PermissionOption[]): RequestPermissionResponse {
  const kinds =
    answer === 'deny' ? ['reject_once', 'reject_always'] : answer === 'allow-once' ? ['allow_once'] : ['allow_once', 'allow_always']
  const wanted = [...kinds, 'reject_once', 'reject_always']
  for (const kind of wanted) {
    const option = options.find((one) => one.kind === kind)
    if (option !== undefined) return { outcome: { outcome: 'selected', optionId: option.optionId } }
  }
  return { outcome: { outcome: 'cancelled' } }
}
