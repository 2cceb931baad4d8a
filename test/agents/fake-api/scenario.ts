/**
 * What the model "does", chosen by the last marker in the person's words: `[[text]]`, `[[json]]`, `[[tool:echo]]`, `[[429]]`…
 * Without a marker it answers with a value where one is asked for, else with a short text.
 */
import { smallestInstance } from '../../../main/agents/schema-instance.ts'
import type { Json } from '../../../shared/json.ts'

export interface OfferedTool {
  name: string
  parameters: Json
  /** Where tools are grouped, the group that the call has to name. */
  namespace?: string
}

/** One request for an answer, whatever API it came by. */
export interface Question {
  model: string
  /** Everything that the person's side said, oldest first. */
  said: string
  tools: OfferedTool[]
  /** A schema that the API itself was asked to keep to. */
  schema: Json | null
  /** How many results of tools the model has seen. */
  toolResults: number
  stream: boolean
}

export type Answer =
  | { kind: 'text'; text: string; pauseMs: number; thinking?: string }
  | { kind: 'tool'; tool: OfferedTool; input: Json }
  | { kind: 'refuse'; status: number; message: string; retryAfter?: string }
  | { kind: 'hang' }
  | { kind: 'drop' }
  | { kind: 'malformed' }

/** Tokens that every answer reports, so that tests can name them. */
export const FAKE_USAGE = { input: 11, cached: 3, cacheWritten: 5, output: 22, reasoning: 4 }

const SHELLS = ['Bash', 'exec_command', 'shell', 'shell_command', 'run_shell_command', 'bash']
const WRITERS = ['Write', 'write_file', 'write']
const COMMANDS: Readonly<Record<string, string>> = {
  // It works until somebody ends it.
  endless: 'tail -f /dev/null',
  patch: "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: patched.txt\n+patched\n*** End Patch\nEOF",
}

export function markerIn(said: string): string {
  return [...said.matchAll(/\[\[([\w:./-]+)\]\]/g)].at(-1)?.[1] ?? ''
}

/** `seen` counts the earlier requests with this marker. */
export function answerTo(question: Question, marker: string, seen: number): Answer {
  const [name = '', detail = ''] = marker.split(':')
  switch (name) {
    case 'hang':
    case 'drop':
    case 'malformed':
      return { kind: name }
    case 'slow':
      return { kind: 'text', text: 'tick '.repeat(600), pauseMs: 100 }
    case 'think':
      return { kind: 'text', text: 'thought through', pauseMs: 0, thinking: 'Let me see.' }
    case 'usage-limit':
      return { kind: 'refuse', status: 429, message: `You've hit your usage limit. Resets at ${detail || '3pm (UTC)'}` }
    case 'once':
      return seen === 0 ? refusal(Number(detail)) : plain(question, marker)
    case 'bad-json':
      return value(question, seen === 0 || detail === 'always')
    case 'tool':
      return question.toolResults > 0 ? plain(question, marker) : toolCall(question, detail)
    default:
      return /^\d{3}$/.test(name) ? refusal(Number(name)) : plain(question, marker)
  }
}

function refusal(status: number): Answer {
  return { kind: 'refuse', status, message: `Refused with ${status}`, ...(status === 429 ? { retryAfter: '7' } : {}) }
}

/** Agents that offer a tool for the answer's shape want it called; the others keep to the schema in their text. */
function plain(question: Question, marker: string): Answer {
  if (question.schema !== null || structuredTool(question) !== undefined) return value(question, false)
  const text = marker === '' ? 'Hello from the fake model.' : `Hello from the fake model (${marker}).`
  return { kind: 'text', text, pauseMs: 0 }
}

function value(question: Question, broken: boolean): Answer {
  const tool = structuredTool(question)
  const schema = question.schema ?? tool?.parameters ?? { type: 'object' }
  const instance: Json = broken ? { unexpected: true } : smallestInstance(schema)
  if (tool === undefined) return { kind: 'text', text: JSON.stringify(instance), pauseMs: 0 }
  const given = !broken && question.toolResults >= resultsBefore(question.said) + 1
  return given ? { kind: 'text', text: 'done', pauseMs: 0 } : { kind: 'tool', tool, input: instance }
}

/** How many results come before that of the tool that takes a right value. */
function resultsBefore(said: string): number {
  return said.includes('[[bad-json') || said.includes('[[tool:') ? 1 : 0
}

function structuredTool(question: Question): OfferedTool | undefined {
  return question.tools.find((tool) => /structured.?output/i.test(tool.name))
}

/** `echo` writes a file and says so, `endless` works until it is ended, `write` makes a file, `escalate` asks to leave the sandbox, `patch` changes files in Codex's way. */
function toolCall(question: Question, what: string): Answer {
  const [kind, ...rest] = what.split('/')
  if (kind === 'write') {
    const tool = question.tools.find((one) => WRITERS.includes(one.name))
    const file = `/${rest.join('/')}`
    if (tool !== undefined) return { kind: 'tool', tool, input: { [pathName(tool)]: file, content: 'written\n' } }
  }
  const tool = question.tools.find((one) => SHELLS.includes(one.name))
  if (tool === undefined) return { kind: 'text', text: `No shell among ${question.tools.map((one) => one.name).join(', ')}`, pauseMs: 0 }
  const command = COMMANDS[kind ?? ''] ?? 'echo tool-ran | tee tool-ran.txt'
  return { kind: 'tool', tool, input: { ...shellInput(tool, command), ...(kind === 'escalate' ? ESCALATION : {}) } }
}

const ESCALATION = { sandbox_permissions: 'require_escalated', justification: 'It has to write outside' }

function pathName(tool: OfferedTool): string {
  return 'filePath' in propertiesOf(tool) ? 'filePath' : 'file_path'
}

function shellInput(tool: OfferedTool, command: string): Record<string, Json> {
  const properties = propertiesOf(tool)
  if ('cmd' in properties) return { cmd: command }
  const given = properties['command']
  const list = typeof given === 'object' && given !== null && !Array.isArray(given) && given['type'] === 'array'
  return { command: list ? ['sh', '-c', command] : command, ...('description' in properties ? { description: 'Run it' } : {}) }
}

function propertiesOf(tool: OfferedTool): Record<string, Json> {
  const { parameters } = tool
  const properties = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters) ? parameters['properties'] : null
  return typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? properties : {}
}
