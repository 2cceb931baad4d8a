/**
 * Talks with Claude Code's command line alone (`claude -p`), where its SDK can't be loaded. The same messages come, but it can't
 * ask: what needs a permission is denied, unless the profile allows everything.
 */
import { createInterface } from 'node:readline'
import { AgentChild } from '../agent-child.ts'
import type { ClaudeMessage } from './claude-message.ts'
import type { ClaudeQuestion, ClaudeTalk } from './claude-sdk.ts'

/** Tools that a profile with all permissions allows; as root the program refuses a mode that asks nobody. */
const EVERYTHING = ['Bash', 'Edit', 'Write', 'NotebookEdit', 'WebFetch', 'WebSearch']

export function talkByPrint(question: ClaudeQuestion, allowsAll: boolean): ClaudeTalk {
  const { setup } = question
  const child = new AgentChild(
    { file: question.file, args: [...printArguments(question, allowsAll), ...question.args], cwd: setup.cwd, env: setup.env },
    question.onSpawn,
  )
  child.process.stdin.end(question.prompt)
  return { child: () => child, messages: messagesOf(child) }
}

/** The prompt is no argument: it may be longer than a command line. */
export function printArguments({ setup, schema }: Pick<ClaudeQuestion, 'setup' | 'schema'>, allowsAll: boolean): string[] {
  const option = (name: string, value: string | undefined): string[] => (value === undefined ? [] : [name, value])
  const isFree = allowsAll && setup.mode === 'default'
  const exist = setup.tools === undefined ? EVERYTHING : EVERYTHING.filter((tool) => setup.tools?.includes(tool))
  const allowed = isFree ? exist : setup.allowedRules
  return [
    ...['--print', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
    ...['--setting-sources', setup.settingSources.join(',')],
    ...['--permission-mode', setup.mode === 'default' ? 'dontAsk' : setup.mode],
    ...option('--allowedTools', allowed.length > 0 ? allowed.join(',') : undefined),
    ...option('--tools', setup.tools?.join(',')),
    ...option('--disallowedTools', setup.disallowedTools.join(',')),
    ...option('--append-system-prompt', setup.instructions),
    ...option('--model', setup.model),
    ...option('--effort', setup.effort),
    ...option('--max-turns', setup.maxTurns === undefined ? undefined : String(setup.maxTurns)),
    ...option('--resume', setup.session),
    ...option('--json-schema', schema === undefined ? undefined : JSON.stringify(schema)),
  ]
}

/** @throws Error with how the program ended, when it ends without a result */
async function* messagesOf(child: AgentChild): AsyncGenerator<ClaudeMessage> {
  for await (const line of createInterface({ input: child.process.stdout })) {
    const message = parsed(line)
    if (message !== null) yield message
    if (message?.type === 'result') return
  }
  throw new Error(`Claude Code ${await child.ended}`)
}

function parsed(line: string): ClaudeMessage | null {
  try {
    const value = JSON.parse(line) as ClaudeMessage | null
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
