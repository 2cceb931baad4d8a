/** Folds what Codex tells of a thread into what people see of the call, and keeps its answer, its tokens and its end. */
import type { Usage } from '../../../shared/run/record.ts'
import type { AgentEvent } from '../../engine/ports.ts'
import { Speech } from '../speech.ts'
import type { Notification, RateLimitWindow, ThreadItem, TokenUsage, TurnError } from './protocol.ts'

const TITLE_CHARS = 300

export class CodexEvents {
  /** What it said last. */
  answer = ''
  readonly usage: Usage = { inputTokens: 0, outputTokens: 0 }
  end: { status: string; error: TurnError | null } | null = null
  /** The last failure that it told of before the end. */
  lastError: TurnError | null = null
  /** When the limit that is used up starts anew: seconds since 1970. */
  resetsAt: number | null = null
  /** The changes of files under way, by item: who is asked about one has to know which files. */
  readonly files = new Map<string, string[]>()
  readonly speech: Speech
  private readonly show: (event: AgentEvent) => void

  constructor(show: (event: AgentEvent) => void) {
    this.show = show
    this.speech = new Speech(show)
  }

  take({ method, params }: Notification): void {
    switch (method) {
      case 'item/agentMessage/delta':
        return this.speech.says(params.delta)
      case 'item/reasoning/summaryTextDelta':
      case 'item/reasoning/textDelta':
        return this.speech.thinks(params.delta)
      case 'item/started':
        if (params.item.type === 'fileChange') this.files.set(params.item.id, pathsOf(params.item))
        return this.tool('tool-started', params.item)
      case 'item/completed':
        this.speech.flush()
        if (params.item.type === 'agentMessage') this.answer = params.item.text
        return this.tool('tool-ended', params.item)
      case 'turn/plan/updated':
        this.speech.flush()
        return this.show({ kind: 'plan', text: params.plan.map(({ step, status }) => `${planMark(status)} ${step}`).join('\n') })
      case 'thread/tokenUsage/updated':
        return this.count(params.tokenUsage.last)
      case 'error':
        this.lastError = params.error
        return params.willRetry ? this.speech.notice(`${params.error.message}; Codex tries again`) : undefined
      case 'account/rateLimits/updated':
        this.resetsAt = latestReset([params.rateLimits.primary, params.rateLimits.secondary])
        return
      case 'turn/completed':
        this.speech.flush()
        this.end = params.turn
        return
      default:
        // Newer versions say more; none of it changes what the call gives.
        return
    }
  }

  private tool(kind: 'tool-started' | 'tool-ended', item: ThreadItem): void {
    const text = toolText(item)
    if (text === null) return
    this.speech.flush()
    const isBad = item.status === 'failed' || item.status === 'declined' || ('exitCode' in item && (item.exitCode ?? 0) !== 0)
    this.show({ kind, text: kind === 'tool-ended' && isBad ? `${text} (failed)` : text })
  }

  private count(last: TokenUsage): void {
    const { usage } = this
    usage.inputTokens += last.inputTokens
    usage.outputTokens += last.outputTokens
    if (last.cachedInputTokens > 0) usage.cachedInputTokens = (usage.cachedInputTokens ?? 0) + last.cachedInputTokens
    if (last.reasoningOutputTokens > 0) usage.reasoningTokens = (usage.reasoningTokens ?? 0) + last.reasoningOutputTokens
    const cached = last.cachedInputTokens > 0 ? ` (${last.cachedInputTokens} cached)` : ''
    this.show({ kind: 'usage', text: `${last.inputTokens} tokens in${cached}, ${last.outputTokens} out` })
  }
}

/** Null for what is no tool. */
function toolText(item: ThreadItem): string | null {
  switch (item.type) {
    case 'commandExecution':
      return `shell: ${item.command}`.slice(0, TITLE_CHARS)
    case 'fileChange':
      return `apply_patch: ${pathsOf(item).join(', ')}`.slice(0, TITLE_CHARS)
    case 'mcpToolCall':
      return `${item.server}.${item.tool}`
    case 'webSearch':
      return `web_search: ${item.query}`.slice(0, TITLE_CHARS)
    default:
      return null
  }
}

function pathsOf(item: Extract<ThreadItem, { type: 'fileChange' }>): string[] {
  return item.changes.map((change) => change.path)
}

function planMark(status: string): string {
  if (status === 'completed') return '✓'
  return status === 'inProgress' ? '▸' : '·'
}

function latestReset(windows: (RateLimitWindow | null)[]): number | null {
  const used = windows.filter((window) => window !== null && window.usedPercent >= 100)
  const resets = used.map((window) => window?.resetsAt ?? null).filter((at) => at !== null)
  return resets.length === 0 ? null : Math.max(...resets)
}
