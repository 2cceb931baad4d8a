/** What Claude Code writes, one JSON object a message: the parts of it that we read. Everything else is left alone. */
import type { Json } from '../../../shared/json.ts'

export interface ClaudeUsage {
  input_tokens?: number
  output_tokens?: number
  cache_read_input_tokens?: number | null
  cache_creation_input_tokens?: number | null
  output_tokens_details?: { thinking_tokens?: number } | null
}

export interface ClaudeModelUsage {
  inputTokens: number
  outputTokens: number
  cacheReadInputTokens: number
  cacheCreationInputTokens: number
}

export type ClaudeBlock =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Json }
  | { type: 'tool_result'; tool_use_id: string; is_error?: boolean }
  | { type: 'thinking'; thinking: string }

export type ClaudeStreamEvent =
  | { type: 'content_block_delta'; delta: { type: 'text_delta'; text: string } | { type: 'thinking_delta'; thinking: string } }
  | { type: 'content_block_stop' }
  | { type: 'message_delta'; usage?: ClaudeUsage }

export type ClaudeMessage =
  | { type: 'system'; subtype: 'init'; session_id: string; model: string }
  | { type: 'system'; subtype: 'api_retry'; attempt: number; max_retries: number; retry_delay_ms: number; error_status: number | null }
  | { type: 'system'; subtype: 'permission_denied'; tool_name: string; message?: string }
  | { type: 'system'; subtype: 'compact_boundary' }
  | { type: 'stream_event'; event: ClaudeStreamEvent; parent_tool_use_id: string | null }
  | { type: 'assistant' | 'user'; message: { content: string | ClaudeBlock[] }; parent_tool_use_id: string | null; error?: string }
  | { type: 'rate_limit_event'; rate_limit_info: ClaudeRateLimit }
  | ClaudeResult

export interface ClaudeRateLimit {
  status: string
  /** Seconds since 1970. */
  resetsAt?: number
  rateLimitType?: string
}

/** The end of a call. A failure of the model's API comes as `success` with `is_error`. */
export interface ClaudeResult {
  type: 'result'
  subtype: string
  is_error: boolean
  result?: string
  errors?: string[]
  structured_output?: Json
  api_error_status?: number | null
  num_turns: number
  session_id: string
  usage: ClaudeUsage
  modelUsage?: Record<string, ClaudeModelUsage>
  total_cost_usd: number
}
