/**
 * The `command` backend: any executable that takes a prompt and writes an answer. What it writes is shown line by line while
 * it works; usage, quota and sign-in failures are known by the profile's patterns.
 */
import type { CommandOptions, ProfileOf } from '../../../shared/contract/agents.ts'
import type { AgentCall, AgentContext, AgentOutcome, AgentRunner, MakeRunner, RunnerDeps } from '../agent-runner.ts'
import { type CommandEnd, runCommand } from '../command.ts'
import { answerOf } from './answer.ts'
import { failureOf } from './failure.ts'
import { promptFor } from './prompt.ts'
import { spentOf } from './spent.ts'

const PLACE = '{prompt}'

export const makeCommandRunner: MakeRunner<'command'> = (profile, deps) => new CommandRunner(profile, deps)

class CommandRunner implements AgentRunner {
  readonly backend = 'command'
  private readonly profile: ProfileOf<'command'>
  private readonly deps: RunnerDeps

  constructor(profile: ProfileOf<'command'>, deps: RunnerDeps) {
    this.profile = profile
    this.deps = deps
  }

  async run(call: AgentCall, context: AgentContext): Promise<AgentOutcome> {
    const { command, options } = this.profile
    const file = await this.deps.executable(command)
    const prompt = promptFor(call)
    const end = await runCommand(
      { file, ...wordsOf(this.profile.args ?? [], prompt, options), cwd: call.cwd, env: { ...context.env, ...aboutCall(call) } },
      {
        signal: context.signal,
        onSpawn: (child) => context.onSpawn(child),
        onLine: (text, from) => context.onEvent({ kind: from === 'stdout' ? 'text' : 'notice', text }),
      },
    )
    if (end.kind === 'cancelled') return end
    if (end.kind === 'not-started') return dead(end.detail)
    const spent = spentOf(end, options)
    if (spent.usage.outputTokens > 0) context.onEvent({ kind: 'usage', text: `${spent.usage.outputTokens} output tokens` })
    return this.outcome(call, end, spent)
  }

  private outcome(call: AgentCall, end: Extract<CommandEnd, { kind: 'exited' }>, spent: ReturnType<typeof spentOf>): AgentOutcome {
    const failure = failureOf(end, this.profile.options)
    const paid = { usage: spent.usage, ...(spent.cost !== null && { cost: spent.cost }) }
    if (failure !== null) return failure.kind === 'dead' ? { ...failure, ...paid } : failure
    const answer = answerOf(end.stdout, this.profile.options.output, call.schema !== undefined)
    if ('problem' in answer) return { ...dead(answer.problem), ...paid }
    return { kind: 'ok', output: answer.value, ...spent }
  }
}

/** The prompt is no line for a shell: it is handed over as it is. */
function wordsOf(args: readonly string[], prompt: string, { input }: CommandOptions): { args: string[]; input?: string } {
  if (input === 'stdin') return { args: [...args], input: prompt }
  const hasPlace = args.some((word) => word.includes(PLACE))
  return { args: hasPlace ? args.map((word) => word.replaceAll(PLACE, () => prompt)) : [...args, prompt] }
}

/** What a program may want to know and can't be told by its prompt. */
function aboutCall({ model, effort, allowedTools, readOnly, maxTokens }: AgentCall): Record<string, string> {
  return {
    ...(model !== undefined && { REPRISE_MODEL: model }),
    ...(effort !== undefined && { REPRISE_EFFORT: effort }),
    ...(allowedTools !== undefined && { REPRISE_ALLOWED_TOOLS: allowedTools.join(',') }),
    ...(maxTokens !== undefined && { REPRISE_MAX_TOKENS: String(maxTokens) }),
    ...(readOnly && { REPRISE_READ_ONLY: '1' }),
  }
}

function dead(detail: string): Extract<AgentOutcome, { kind: 'dead' }> {
  return { kind: 'dead', reason: 'agent-error', detail, retryable: false, usage: { inputTokens: 0, outputTokens: 0 } }
}
