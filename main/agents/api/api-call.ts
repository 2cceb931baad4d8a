/** One call of a model over HTTP, its answer streamed. Loaded when the first such call comes: the packages are large. */
import { type AnthropicProvider, createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, type CallWarning, type FinishReason, jsonSchema, type LanguageModelUsage, Output, streamText } from 'ai'
import type { Json } from '../../../shared/json.ts'
import type { Usage } from '../../../shared/run/record.ts'
import type { AgentCall, AgentContext, AgentOutcome } from '../agent-runner.ts'
import { modelFailure } from '../model-failure.ts'
import { Speech } from '../speech.ts'
import { type Endpoint, unreachable } from './endpoint.ts'

// Its warnings are shown in the run, not printed.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

type ApiCall = AgentCall & { model: string }

export interface Schemas {
  /** Until the endpoint has said otherwise. */
  knowsSchemas: boolean
  forgetSchemas(): void
}

/** Name of the provider of OpenAI-compatible endpoints; its options go by this name too. */
const NAME = 'endpoint'
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }

/** What the stream told until it ended. */
interface Told {
  text: string
  usage: Usage
  finish: FinishReason | null
  /** The first error: what comes after it says nothing. */
  error: unknown
}

export async function runApiCall(endpoint: Endpoint, call: ApiCall, context: AgentContext, schemas: Schemas): Promise<AgentOutcome> {
  if (context.signal.aborted) return { kind: 'cancelled' }
  const notice = (text: string): void => context.onEvent({ kind: 'notice', text })
  if (call.allowedTools !== undefined) notice('This agent has no tools, so there are none to allow')
  const first = await ask(endpoint, call, context, schemas.knowsSchemas)
  if (call.schema === undefined || !schemas.knowsSchemas || !isSchemaUnknown(first.error)) return outcomeOf(first, endpoint, call, context)
  schemas.forgetSchemas()
  notice('The endpoint takes no schemas; the shape of the answer is asked for in words')
  return outcomeOf(await ask(endpoint, call, context, false), endpoint, call, context)
}

async function ask(endpoint: Endpoint, call: ApiCall, context: AgentContext, withSchema: boolean): Promise<Told> {
  const { schema, instructions, maxTokens } = call
  const speech = new Speech((event) => context.onEvent(event))
  const told: Told = { text: '', usage: NO_USAGE, finish: null, error: undefined }
  const inWords =
    schema === undefined || withSchema
      ? ''
      : `\n\nAnswer with one JSON value alone that matches this JSON Schema:\n${JSON.stringify(schema)}`
  const answer = streamText({
    model: modelOf(endpoint, call.model),
    prompt: call.prompt + inWords,
    ...(instructions !== undefined && { system: instructions }),
    ...(schema !== undefined && withSchema && { output: Output.object({ schema: jsonSchema(schema as object) }) }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(call.effort !== undefined && { providerOptions: effortOf(call.effort, endpoint, context) }),
    abortSignal: context.signal,
    // The engine tries again, by rules of its own.
    maxRetries: 0,
    // Errors are read from the stream; without this they are printed too.
    onError: () => {},
  })
  try {
    for await (const part of answer.fullStream) {
      if (part.type === 'text-delta') {
        told.text += part.text
        speech.says(part.text)
      } else if (part.type === 'reasoning-delta') speech.thinks(part.text)
      else if (part.type === 'error') told.error ??= part.error
      else if (part.type === 'start-step') for (const warning of part.warnings) context.onEvent({ kind: 'notice', text: wordsOf(warning) })
      else if (part.type === 'finish') {
        speech.flush()
        told.finish = part.finishReason
        told.usage = usageOf(part.totalUsage)
        context.onEvent({ kind: 'usage', text: `${told.usage.inputTokens} tokens in, ${told.usage.outputTokens} out` })
      }
    }
  } catch (error) {
    told.error ??= error
  }
  speech.flush()
  return told
}

function modelOf({ provider, url, key, headers }: Endpoint, model: string): ReturnType<AnthropicProvider> {
  // A key is always given: without one the packages look into our own environment.
  if (provider === 'anthropic') return createAnthropic({ baseURL: url, apiKey: key, headers: { ...headers } })(model)
  const settings = { name: NAME, baseURL: url, headers: { ...headers }, includeUsage: true, supportsStructuredOutputs: true }
  return createOpenAICompatible({ ...settings, ...(key !== '' && { apiKey: key }) })(model)
}

function effortOf(effort: string, { provider }: Endpoint, context: AgentContext): Record<string, Record<string, string>> {
  if (provider === 'openai-compatible') return { [NAME]: { reasoningEffort: effort } }
  const known = EFFORTS.find((one) => one === effort)
  if (known !== undefined) return { anthropic: { effort: known } }
  context.onEvent({ kind: 'notice', text: `There is no effort “${effort}”; the model works with its usual one` })
  return {}
}

function outcomeOf({ text, usage, finish, error }: Told, endpoint: Endpoint, call: ApiCall, context: AgentContext): AgentOutcome {
  if (context.signal.aborted) return { kind: 'cancelled' }
  if (error !== undefined) return failureOf(error, endpoint, usage)
  const dead = (detail: string, retryable: boolean): AgentOutcome => ({ kind: 'dead', reason: 'agent-error', detail, retryable, usage })
  switch (finish) {
    case 'stop':
      break
    case 'length':
      if (text.trim() === '') return dead('The model reached its limit of tokens before it said anything', false)
      context.onEvent({ kind: 'notice', text: 'The answer was cut at the limit of tokens' })
      break
    case 'content-filter':
      return { kind: 'dead', reason: 'refused', detail: text || 'The answer was held back by a content filter', retryable: false, usage }
    case 'tool-calls':
      return dead('The model wants to use a tool, and this agent has none', false)
    default:
      return dead(`${endpoint.url} broke off in the middle of the answer`, true)
  }
  return { kind: 'ok', output: call.schema === undefined ? text : parsed(text), usage, cost: null }
}

/** What is no JSON stays text, for the schema check to answer. */
function parsed(text: string): Json {
  const bare = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text
  try {
    return JSON.parse(bare) as Json
  } catch {
    return text
  }
}

function failureOf(error: unknown, endpoint: Endpoint, usage: Usage): AgentOutcome {
  if (!APICallError.isInstance(error)) {
    const text = `${endpoint.url} broke off: ${error instanceof Error ? error.message : String(error)}`
    return { kind: 'dead', reason: 'agent-error', detail: text, retryable: true, usage }
  }
  if (error.statusCode === undefined)
    return { kind: 'dead', reason: 'agent-error', detail: unreachable(endpoint.url, error), retryable: true, usage }
  const retryAfterMs = retryAfter(error.responseHeaders ?? {})
  const failure = { status: error.statusCode, text: `${endpoint.url} answered ${error.statusCode}: ${error.message}`, usage }
  return modelFailure({ ...failure, ...(retryAfterMs !== null && { retryAfterMs }) })
}

function wordsOf(warning: CallWarning): string {
  if (warning.type === 'other') return warning.message
  const { feature, details } = warning
  return `${feature}: ${details ?? 'the model does not have it'}`
}

/** Seconds or a date, as HTTP has it; some send milliseconds besides. */
function retryAfter(headers: Record<string, string>): number | null {
  const ms = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && Number.isFinite(ms)) return ms
  const given = headers['retry-after']
  if (given === undefined) return null
  const seconds = Number(given)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(given) - Date.now()
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}

function isSchemaUnknown(error: unknown): boolean {
  if (!APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422)) return false
  return /response_format|json_schema|output_format|output_config|structured output/i.test(`${error.message} ${error.responseBody ?? ''}`)
}

function usageOf({ inputTokens, outputTokens, inputTokenDetails, outputTokenDetails }: LanguageModelUsage): Usage {
  const cached = inputTokenDetails.cacheReadTokens
  const reasoning = outputTokenDetails.reasoningTokens
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cached !== undefined && cached > 0 && { cachedInputTokens: cached }),
    ...(reasoning !== undefined && reasoning > 0 && { reasoningTokens: reasoning }),
  }
}
