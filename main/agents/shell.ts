/** The built-in `shell` agent: the prompt is a command line, its output is the answer. Costs no tokens. */
import type { Json } from '../../shared/json.ts'
import type { AgentCall, AgentContext, AgentOutcome, AgentRunner, MakeRunner } from './agent-runner.ts'
import { type Command, type CommandEnd, type Output, runCommand } from './command.ts'
import { OUTPUT_CAP_BYTES } from './output-capture.ts'

const NO_USAGE = { inputTokens: 0, outputTokens: 0 }
const DETAIL_CHARS = 2000

export const makeShellRunner: MakeRunner<'shell'> = () => new ShellRunner()

export class ShellRunner implements AgentRunner {
  readonly backend = 'shell'

  async run(call: AgentCall, context: AgentContext): Promise<AgentOutcome> {
    const end = await runCommand(
      { ...commandLine(call.prompt, context.env), cwd: call.cwd, env: context.env },
      {
        signal: context.signal,
        onSpawn: (child) => context.onSpawn(child),
        onLine: (text, from) => context.onEvent({ kind: from === 'stdout' ? 'text' : 'notice', text }),
      },
    )
    if (end.kind === 'cancelled') return end
    if (end.kind === 'not-started') return dead(end.detail)
    if (end.code !== 0) return dead(failure(end))
    if (end.stdout.dropped > 0) context.onEvent({ kind: 'notice', text: cutNotice(end.stdout) })
    return { kind: 'ok', output: answer(end.stdout, call.schema), usage: NO_USAGE, cost: null }
  }
}

/** A line for the system's own shell. */
export function commandLine(
  text: string,
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Pick<Command, 'file' | 'args' | 'verbatim'> {
  if (platform !== 'win32') return { file: '/bin/sh', args: ['-c', text] }
  return { file: env.ComSpec ?? env.COMSPEC ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${text}"`], verbatim: true }
}

/** With a schema the output is JSON; output that is not stays text, for the schema check to answer. */
function answer(stdout: Output, schema: Json | undefined): Json {
  if (schema !== undefined) {
    try {
      return JSON.parse(stdout.text) as Json
    } catch {
      return stdout.text
    }
  }
  const text = stdout.text.replace(/\r?\n$/, '')
  return stdout.dropped > 0 ? `${text}\n[${cutNotice(stdout)}]` : text
}

function cutNotice(stdout: Output): string {
  return `Output cut after ${OUTPUT_CAP_BYTES / 1024 / 1024} MB; ${stdout.dropped} bytes more were written`
}

function failure(end: Extract<CommandEnd, { kind: 'exited' }>): string {
  const how = end.signal === null ? `The command exited with ${end.code}` : `The command was ended by ${end.signal}`
  const said = (end.stderr.tail === '' ? end.stdout.tail : end.stderr.tail).slice(-DETAIL_CHARS)
  return said === '' ? `${how} and wrote nothing` : `${how}: ${said}`
}

function dead(detail: string): AgentOutcome {
  return { kind: 'dead', reason: 'agent-error', detail, retryable: false, usage: NO_USAGE }
}
