/** Folds the messages of one call into what people see of it, and keeps what decides how it ended. */
import type { Json } from '../../../shared/json.ts'
import type { AgentEvent } from '../../engine/ports.ts'
import { Speech } from '../speech.ts'
import type { ClaudeBlock, ClaudeMessage, ClaudeRateLimit, ClaudeResult, ClaudeStreamEvent, ClaudeUsage } from './claude-message.ts'

/** The tool by which Claude Code takes an answer with a schema: it is the answer, no work. */
const ANSWER_TOOL = 'StructuredOutput'
const TITLE_CHARS = 300

export class ClaudeEvents {
  result: ClaudeResult | null = null
  session: string | null = null
  /** Claude Code's own word for the last failure of the model's API, such as `authentication_failed`. */
  failure: string | null = null
  limit: ClaudeRateLimit | null = null
  readonly speech: Speech
  private readonly show: (event: AgentEvent) => void
  private readonly onSession: (id: string) => void
  /** Words of the tools at work, by their id. */
  private readonly tools = new Map<string, string>()

  constructor(show: (event: AgentEvent) => void, onSession: (id: string) => void) {
    this.show = show
    this.onSession = onSession
    this.speech = new Speech(show)
  }

  take(message: ClaudeMessage): void {
    switch (message.type) {
      case 'system':
        return this.system(message)
      case 'stream_event':
        // What agents below it say is theirs; their tools are shown.
        return message.parent_tool_use_id === null ? this.stream(message.event) : undefined
      case 'assistant':
      case 'user':
        if (message.error !== undefined) this.failure = message.error
        if (typeof message.message.content !== 'string') for (const block of message.message.content) this.block(block)
        return
      case 'rate_limit_event':
        this.limit = message.rate_limit_info
        if (this.limit.status === 'allowed_warning') this.speech.notice('The usage limit of this account is nearly reached')
        return
      case 'result':
        this.speech.flush()
        this.result = message
        return
      default:
        // Newer versions say more; none of it changes what the call gives.
        return
    }
  }

  private system(message: Extract<ClaudeMessage, { type: 'system' }>): void {
    switch (message.subtype) {
      case 'init':
        if (this.session === message.session_id) return
        this.session = message.session_id
        return this.onSession(message.session_id)
      case 'api_retry': {
        const why = message.error_status === null ? 'The model could not be reached' : `The model refused with ${message.error_status}`
        const seconds = Math.ceil(message.retry_delay_ms / 1000)
        return this.speech.notice(`${why}; Claude Code tries again in ${seconds} s (${message.attempt} of ${message.max_retries})`)
      }
      case 'permission_denied':
        return this.speech.notice(`${message.tool_name} was denied${message.message === undefined ? '' : `: ${message.message}`}`)
      case 'compact_boundary':
        return this.speech.notice('The conversation grew too long and was summed up')
      default:
        return
    }
  }

  private stream(event: ClaudeStreamEvent): void {
    switch (event.type) {
      case 'content_block_delta':
        if (event.delta.type === 'text_delta') this.speech.says(event.delta.text)
        else if (event.delta.type === 'thinking_delta') this.speech.thinks(event.delta.thinking)
        return
      case 'content_block_stop':
        return this.speech.flush()
      case 'message_delta':
        return event.usage === undefined ? undefined : this.show({ kind: 'usage', text: usageText(event.usage) })
      default:
        return
    }
  }

  private block(block: ClaudeBlock): void {
    if (block.type === 'tool_use' && block.name !== ANSWER_TOOL) {
      const text = toolText(block.name, block.input)
      this.tools.set(block.id, text)
      this.speech.flush()
      this.show({ kind: 'tool-started', text })
      const plan = block.name === 'TodoWrite' ? planOf(block.input) : null
      if (plan !== null) this.show({ kind: 'plan', text: plan })
    } else if (block.type === 'tool_result') {
      const text = this.tools.get(block.tool_use_id)
      if (text === undefined) return
      this.tools.delete(block.tool_use_id)
      this.show({ kind: 'tool-ended', text: block.is_error === true ? `${text} (failed)` : text })
    }
  }
}

/** What a tool is about to do: its name and the part of its input that says most. */
export function toolText(name: string, input: Json): string {
  const fields = typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}
  const telling = ['command', 'file_path', 'notebook_path', 'pattern', 'path', 'url', 'query', 'description']
  const value = telling.map((key) => fields[key]).find((one) => typeof one === 'string' && one !== '')
  return value === undefined ? name : `${name}: ${String(value)}`.slice(0, TITLE_CHARS)
}

function planOf(input: Json): string | null {
  const todos = typeof input === 'object' && input !== null && !Array.isArray(input) ? input['todos'] : null
  if (!Array.isArray(todos)) return null
  const lines = todos.map((todo) => {
    const { content = '', status = '' } = typeof todo === 'object' && todo !== null && !Array.isArray(todo) ? todo : {}
    return `${status === 'completed' ? '✓' : status === 'in_progress' ? '▸' : '·'} ${String(content)}`
  })
  return lines.join('\n')
}

function usageText(usage: ClaudeUsage): string {
  const cached = usage.cache_read_input_tokens ?? 0
  const input = (usage.input_tokens ?? 0) + cached + (usage.cache_creation_input_tokens ?? 0)
  return `${input} tokens in${cached > 0 ? ` (${cached} cached)` : ''}, ${usage.output_tokens ?? 0} out`
}
