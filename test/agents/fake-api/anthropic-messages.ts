/** Anthropic's Messages API, as far as agents use it. */
import type { Json } from '../../../shared/json.ts'
import type { Dialect, Reply } from './fake-api.ts'
import { list, object, text, wordsOf } from './json-shape.ts'
import { type Answer, FAKE_USAGE } from './scenario.ts'

const ERROR_TYPES: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}
const AT_START = {
  input_tokens: FAKE_USAGE.input,
  output_tokens: 1,
  cache_read_input_tokens: FAKE_USAGE.cached,
  cache_creation_input_tokens: FAKE_USAGE.cacheWritten,
}
const USAGE = { ...AT_START, output_tokens: FAKE_USAGE.output }

export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',
  answers: (method, path) => method === 'POST' && path.endsWith('/messages'),
  aside: (method, path) => (method === 'POST' && path.endsWith('/messages/count_tokens') ? { input_tokens: FAKE_USAGE.input } : null),
  read: (body) => {
    const messages = list(body['messages']).map(object)
    const persons = messages.filter((message) => message['role'] === 'user')
    const parts = persons.flatMap((message) => list(message['content'])).map(object)
    const format = object(object(body['output_config'])['format'] ?? body['output_format'])
    return {
      model: text(body['model']),
      said: persons.map((message) => wordsOf(message['content'])).join('\n'),
      tools: list(body['tools'])
        .map(object)
        .map((tool) => ({ name: text(tool['name']), parameters: tool['input_schema'] ?? {} })),
      schema: format['schema'] ?? null,
      toolResults: parts.filter((part) => part['type'] === 'tool_result').length,
      stream: body['stream'] === true,
    }
  },
  errorBody: (status, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message },
    request_id: 'req_fake',
  }),
  write: async (answer, question, reply) => {
    const blocks = blocksOf(answer, reply)
    const stop = answer.kind === 'tool' ? 'tool_use' : 'end_turn'
    const message = { id: `msg_${reply.number}`, type: 'message', role: 'assistant', model: question.model, stop_sequence: null }
    if (!question.stream) return reply.json(200, { ...message, content: blocks, stop_reason: stop, usage: USAGE })
    reply.event({ type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: AT_START } }, 'message_start')
    for (const [index, block] of blocks.entries()) await stream(block, index, answer, reply)
    reply.event({ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: USAGE }, 'message_delta')
    reply.event({ type: 'message_stop' }, 'message_stop')
    reply.end()
  },
}

type Spoken = Extract<Answer, { kind: 'text' | 'tool' }>
type Block = Record<string, Json>

function blocksOf(answer: Spoken, reply: Reply): Block[] {
  if (answer.kind === 'tool') return [{ type: 'tool_use', id: `toolu_${reply.number}`, name: answer.tool.name, input: answer.input }]
  const said: Block[] = [{ type: 'text', text: answer.text }]
  return answer.thinking === undefined ? said : [{ type: 'thinking', thinking: answer.thinking, signature: 'signed' }, ...said]
}

async function stream(block: Block, index: number, answer: Spoken, reply: Reply): Promise<void> {
  const delta = (value: Block) => reply.event({ type: 'content_block_delta', index, delta: value }, 'content_block_delta')
  const start = (content_block: Block) => reply.event({ type: 'content_block_start', index, content_block }, 'content_block_start')
  switch (block['type']) {
    case 'tool_use':
      start({ ...block, input: {} })
      delta({ type: 'input_json_delta', partial_json: JSON.stringify(block['input']) })
      break
    case 'thinking':
      start({ type: 'thinking', thinking: '', signature: '' })
      delta({ type: 'thinking_delta', thinking: text(block['thinking']) })
      delta({ type: 'signature_delta', signature: text(block['signature']) })
      break
    default:
      start({ type: 'text', text: '' })
      for await (const word of reply.words(text(block['text']), answer.kind === 'text' ? answer.pauseMs : 0)) {
        delta({ type: 'text_delta', text: word })
      }
  }
  reply.event({ type: 'content_block_stop', index }, 'content_block_stop')
}
