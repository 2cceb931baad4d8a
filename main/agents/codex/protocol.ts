/** The part of the protocol of `codex app-server` that we speak: one JSON object a line, without the usual `jsonrpc` member. */
import type { Json } from '../../../shared/json.ts'

export type ApprovalPolicy = 'untrusted' | 'on-request' | 'never'
export type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access'

/** What a thread is started or gone on with. */
export interface ThreadSettings {
  model?: string
  cwd: string
  approvalPolicy: ApprovalPolicy
  sandbox: SandboxMode
  developerInstructions?: string
  config?: Record<string, Json>
}

/** What we ask of the server, with what it answers. */
export interface ClientRequests {
  initialize: {
    params: { clientInfo: { name: string; title: string; version: string }; capabilities: { experimentalApi: true } }
    result: { userAgent?: string }
  }
  'account/read': { params: { refreshToken: boolean }; result: { account: { type: string } | null; requiresOpenaiAuth: boolean } }
  'thread/start': { params: ThreadSettings; result: { thread: { id: string } } }
  'thread/resume': { params: ThreadSettings & { threadId: string; excludeTurns: true }; result: { thread: { id: string } } }
  'thread/unsubscribe': { params: { threadId: string }; result: unknown }
  'thread/delete': { params: { threadId: string }; result: unknown }
  'thread/backgroundTerminals/clean': { params: { threadId: string }; result: unknown }
  'turn/start': {
    params: { threadId: string; input: { type: 'text'; text: string; text_elements: [] }[]; effort?: string; outputSchema?: Json }
    result: { turn: { id: string } }
  }
  'turn/interrupt': { params: { threadId: string; turnId: string }; result: unknown }
}
export type ClientMethod = keyof ClientRequests

export interface TokenUsage {
  inputTokens: number
  cachedInputTokens: number
  outputTokens: number
  reasoningOutputTokens: number
}

/** A word, or an object whose one member is the word. */
export type CodexErrorInfo = string | Record<string, { httpStatusCode?: number | null } | undefined>

export interface TurnError {
  message: string
  codexErrorInfo: CodexErrorInfo | null
  additionalDetails?: string | null
}

export type ThreadItem = { id: string; status?: string } & (
  | { type: 'agentMessage'; text: string; phase?: string | null }
  | { type: 'commandExecution'; command: string; exitCode: number | null }
  | { type: 'fileChange'; changes: { path: string }[] }
  | { type: 'mcpToolCall'; server: string; tool: string }
  | { type: 'webSearch'; query: string }
)

export interface RateLimitWindow {
  usedPercent: number
  /** Seconds since 1970. */
  resetsAt: number | null
}

/** What the server tells of a thread while it works. */
export type Notification =
  | { method: 'item/agentMessage/delta'; params: { threadId: string; delta: string } }
  | { method: 'item/reasoning/summaryTextDelta' | 'item/reasoning/textDelta'; params: { threadId: string; delta: string } }
  | { method: 'item/started' | 'item/completed'; params: { threadId: string; item: ThreadItem } }
  | { method: 'turn/plan/updated'; params: { threadId: string; plan: { step: string; status: string }[] } }
  | { method: 'thread/tokenUsage/updated'; params: { threadId: string; turnId: string; tokenUsage: { last: TokenUsage } } }
  | { method: 'error'; params: { threadId: string; error: TurnError; willRetry: boolean } }
  | { method: 'turn/completed'; params: { threadId: string; turn: { id: string; status: string; error: TurnError | null } } }
  | { method: 'account/rateLimits/updated'; params: { rateLimits: { primary: RateLimitWindow | null; secondary: RateLimitWindow | null } } }

/** What the server asks of us while a turn is at work. */
export type ServerRequest =
  | {
      method: 'item/commandExecution/requestApproval'
      params: { threadId: string; itemId: string; command?: string | null; cwd?: string | null; reason?: string | null }
    }
  | {
      method: 'item/fileChange/requestApproval'
      params: { threadId: string; itemId: string; reason?: string | null; grantRoot?: string | null }
    }
  | { method: 'item/permissions/requestApproval'; params: { threadId: string; reason: string | null; permissions: Record<string, Json> } }
  | { method: 'item/tool/requestUserInput'; params: { threadId: string } }
  | { method: 'mcpServer/elicitation/request'; params: { threadId: string } }
