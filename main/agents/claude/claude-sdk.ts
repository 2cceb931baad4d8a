/** Talks with Claude Code through its own SDK, which starts the person's program and lets us answer its questions. */
import type { Options, query as Query } from '@anthropic-ai/claude-agent-sdk'
import { AgentChild } from '../agent-child.ts'
import type { ProcessId } from '../process-tree.ts'
import type { ClaudeMessage } from './claude-message.ts'
import type { ClaudeSetup } from './claude-setup.ts'
import type { ToolAnswer } from './claude-tools.ts'

export interface ClaudeSdk {
  query: typeof Query
}

/** One conversation: the process as soon as it runs, and its messages. */
export interface ClaudeTalk {
  child(): AgentChild | null
  messages: AsyncIterable<ClaudeMessage>
}

export interface ClaudeQuestion {
  prompt: string
  schema: Record<string, unknown> | undefined
  file: string
  args: readonly string[]
  setup: ClaudeSetup
  onSpawn(self: ProcessId): void
  onPermission(tool: string, input: Record<string, unknown>, title?: string): Promise<ToolAnswer>
}

export function talkThroughSdk(sdk: ClaudeSdk, question: ClaudeQuestion): ClaudeTalk {
  const { setup, schema } = question
  let child: AgentChild | null = null
  const options: Options = {
    ...{ cwd: setup.cwd, env: setup.env, pathToClaudeCodeExecutable: question.file },
    ...{ settingSources: setup.settingSources, permissionMode: setup.mode, includePartialMessages: true },
    // The prompt is the script's: no path in it is read, no command in it is carried out, on its way to the model.
    verbatimPrompts: true,
    ...{ allowedTools: setup.allowedRules, disallowedTools: setup.disallowedTools },
    systemPrompt: { type: 'preset', preset: 'claude_code', ...(setup.instructions !== undefined && { append: setup.instructions }) },
    ...(setup.model !== undefined && { model: setup.model }),
    ...(setup.effort !== undefined && { effort: setup.effort }),
    ...(setup.tools !== undefined && { tools: setup.tools }),
    ...(setup.maxTurns !== undefined && { maxTurns: setup.maxTurns }),
    ...(setup.session !== undefined && { resume: setup.session }),
    ...(setup.mode === 'bypassPermissions' && { allowDangerouslySkipPermissions: true }),
    ...(schema !== undefined && { outputFormat: { type: 'json_schema', schema } }),
    canUseTool: (name, input, { title }) => question.onPermission(name, input, title),
    spawnClaudeCodeProcess: ({ command, args, env }) => {
      const own = Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
      child = new AgentChild({ file: command, args: [...args, ...question.args], cwd: setup.cwd, env: own }, question.onSpawn)
      return child.process
    },
  }
  // Our type is the part that we read of theirs.
  return {
    child: () => child,
    messages: sdk.query({ prompt: question.prompt, options }) as AsyncIterable<unknown> as AsyncIterable<ClaudeMessage>,
  }
}
