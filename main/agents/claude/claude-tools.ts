/** Which tools Claude Code has in a call, and who is asked before one of them is used. */
import type { Json } from '../../../shared/json.ts'
import type { AgentCall, AgentContext } from '../agent-runner.ts'
import { toolText } from './claude-events.ts'

/** They need a person at the keyboard, outlive the call, or start work that nobody here would see. */
export const NOT_HERE: readonly string[] = [
  ...['AskUserQuestion', 'EnterPlanMode', 'ExitPlanMode', 'EnterWorktree', 'ExitWorktree'],
  ...['CronCreate', 'CronDelete', 'CronList', 'ScheduleWakeup', 'Monitor', 'Workflow'],
]

/**
 * Tools that look. `Bash` is among them since Claude Code searches with it: commands that only read need no permission, and
 * every other one is refused below.
 */
const LOOKING: readonly string[] = ['Read', 'Grep', 'Glob', 'LS', 'Bash', 'WebFetch', 'WebSearch', 'TodoWrite', 'NotebookRead']
const CHANGING: ReadonlySet<string> = new Set(['Bash', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'KillShell'])

type Asked = Pick<AgentCall, 'allowedTools' | 'readOnly'>

/** The tools that exist for this call; undefined: all. A rule such as `Bash(git log:*)` stands for its tool. */
export function toolsOf({ allowedTools, readOnly }: Asked): string[] | undefined {
  const named = allowedTools === undefined ? undefined : [...new Set(allowedTools.map(toolName))]
  if (!readOnly) return named
  return named === undefined ? [...LOOKING] : named.filter((name) => LOOKING.includes(name) || name.startsWith('mcp__'))
}

/** What names a part of a tool; Claude Code itself knows what is in it. */
export function rulesIn(allowedTools: readonly string[]): string[] {
  return allowedTools.filter((rule) => rule.includes('('))
}

export type ToolAnswer = { behavior: 'allow'; updatedInput: Record<string, unknown> } | { behavior: 'deny'; message: string }

/** Answers Claude Code, which asks before it uses a tool that could do harm. */
export function permissionAsker(call: AgentCall, context: AgentContext) {
  const tools = toolsOf(call)
  let questions = 0
  return async (name: string, input: Record<string, unknown>, title?: string): Promise<ToolAnswer> => {
    const refuse = (why: string): ToolAnswer => {
      context.onEvent({ kind: 'notice', text: `${name} ${why}; the agent goes on without it` })
      return { behavior: 'deny', message: `${name} ${why}. Go on without it.` }
    }
    if (tools !== undefined && !tools.includes(name)) return refuse('is not among the tools of this call')
    if (call.readOnly && CHANGING.has(name)) return refuse('would change something, and this call may only look')
    questions += 1
    const id = `${call.call}.${call.generation}.${questions}`
    const shown = input as Record<string, Json> // it came as JSON
    const answer = await context.onPermission({ id, tool: name, title: title ?? toolText(name, shown), input: shown })
    if (answer !== 'deny') return { behavior: 'allow', updatedInput: input }
    context.onEvent({ kind: 'notice', text: `${name} was denied; the agent goes on without it` })
    return { behavior: 'deny', message: `${name} was denied. Go on without it.` }
  }
}

function toolName(rule: string): string {
  return rule.replace(/\(.*$/s, '').trim()
}
