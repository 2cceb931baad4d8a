/** What an agent does in one turn of a session, folded from its updates: its answer, its tools, its cost. */
import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { Json } from '../../../shared/json.ts'
import type { AgentEvent } from '../../engine/ports.ts'
import { Speech } from '../speech.ts'

export interface ToolUse {
  id: string
  /** As the agent names it, else as its kind is usually called. */
  name: string
  kind: string
  title: string
  input: Json
}

/**
 * What the kinds of tools are called in scripts and profiles. Agents name their tools in ways of their own, or tell their kind
 * only.
 */
export const COMMON_NAMES: Readonly<Record<string, readonly string[]>> = {
  read: ['Read', 'LS'],
  search: ['Grep', 'Glob', 'LS'],
  edit: ['Edit', 'Write', 'MultiEdit'],
  delete: ['Delete'],
  move: ['Move'],
  execute: ['Bash'],
  fetch: ['WebFetch', 'WebSearch'],
}

const TITLE_CHARS = 300

export class Turn {
  /** In US dollars, of the whole session; null when the agent does not tell. */
  cost: number | null = null
  readonly speech: Speech
  private readonly show: (event: AgentEvent) => void
  private readonly tools = new Map<string, ToolUse>()
  private readonly running = new Set<string>()
  /** What it said since its last tool, and what it said before. */
  private last = ''
  private before = ''

  constructor(show: (event: AgentEvent) => void) {
    this.show = show
    this.speech = new Speech(show)
  }

  /** What it said at the end, without what it said between its tools. */
  get answer(): string {
    return (this.last.trim() === '' ? this.before : this.last).trim()
  }

  /** A further question in the same session gets an answer of its own. */
  begin(): void {
    this.last = ''
    this.before = ''
  }

  take(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type !== 'text') return
        this.last += update.content.text
        return this.speech.says(update.content.text)
      case 'agent_thought_chunk':
        return update.content.type === 'text' ? this.speech.thinks(update.content.text) : undefined
      case 'tool_call':
      case 'tool_call_update':
        this.speech.flush()
        return this.tool(update)
      case 'plan':
        this.speech.flush()
        return this.show({ kind: 'plan', text: update.entries.map((entry) => `${planMark(entry.status)} ${entry.content}`).join('\n') })
      case 'usage_update':
        if (update.cost?.currency === 'USD') this.cost = update.cost.amount
        return
      default:
        // Commands, modes and names of the session: nothing that the person asked for.
        return
    }
  }

  /** What is known of a tool, from all that was said of it so far. */
  toolOf(update: ToolCallUpdate): ToolUse {
    const known = this.tools.get(update.toolCallId)
    const kind = update.kind ?? known?.kind ?? 'other'
    const tool: ToolUse = {
      id: update.toolCallId,
      kind,
      name: update.name ?? known?.name ?? COMMON_NAMES[kind]?.[0] ?? update.title ?? 'tool',
      title: (update.title ?? known?.title ?? '').slice(0, TITLE_CHARS),
      input: (update.rawInput as Json | undefined) ?? known?.input ?? null,
    }
    this.tools.set(tool.id, tool)
    return tool
  }

  started(tool: ToolUse): void {
    if (this.running.has(tool.id)) return
    this.running.add(tool.id)
    this.speech.flush()
    if (this.last.trim() !== '') this.before = this.last
    this.last = ''
    this.show({ kind: 'tool-started', text: wordsOf(tool) })
  }

  private tool(update: ToolCallUpdate): void {
    const tool = this.toolOf(update)
    this.started(tool)
    const text = wordsOf(tool)
    if (update.status === 'completed') this.show({ kind: 'tool-ended', text })
    if (update.status === 'failed') this.show({ kind: 'tool-ended', text: `${text} (failed)` })
  }
}

function planMark(status: string): string {
  if (status === 'completed') return '✓'
  return status === 'in_progress' ? '▸' : '·'
}

function wordsOf({ name, title }: ToolUse): string {
  return title === '' || title === name ? name : `${name}: ${title}`
}
