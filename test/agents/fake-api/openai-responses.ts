/** OpenAI's Responses API, as far as agents use it. */
import type { Json } from '../../../shared/json.ts'
import type { Dialect, Reply } from './fake-api.ts'
import { list, object, text, wordsOf } from './json-shape.ts'
import { type Answer, FAKE_USAGE, type OfferedTool } from './scenario.ts'

const USAGE = {
  input_tokens: FAKE_USAGE.input,
  input_tokens_details: { cached_tokens: FAKE_USAGE.cached },
  output_tokens: FAKE_USAGE.output,
  output_tokens_details: { reasoning_tokens: FAKE_USAGE.reasoning },
  total_tokens: FAKE_USAGE.input + FAKE_USAGE.output,
}
/** A limit of an account ends so long after it was met. */
const LIMIT_SECONDS = 3 * 3600

export const openaiResponses: Dialect = {
  name: 'openai-responses',
  answers: (method, path) => method === 'POST' && path.endsWith('/responses'),
  aside: (method, path) =>
    method === 'GET' && path.endsWith('/models') ? { object: 'list', data: [{ id: 'fake-model', object: 'model' }], models: [] } : null,
  read: (body) => {
    const items = list(body['input']).map(object)
    const persons = items.filter((item) => item['role'] === 'user')
    return {
      model: text(body['model']),
      said: typeof body['input'] === 'string' ? body['input'] : persons.map((item) => wordsOf(item['content'])).join('\n'),
      tools: toolsIn(body['tools']),
      schema: object(object(body['text'])['format'])['schema'] ?? null,
      toolResults: items.filter((item) => text(item['type']).endsWith('_output')).length,
      stream: body['stream'] === true,
    }
  },
  errorBody: (status, message) => {
    if (/usage limit/.test(message)) {
      const resets_at = Math.floor(Date.now() / 1000) + LIMIT_SECONDS
      return { error: { type: 'usage_limit_reached', message, plan_type: 'pro', resets_at } }
    }
    const [type, code] = status === 429 ? ['rate_limit_exceeded', 'rate_limit_exceeded'] : ['invalid_request_error', null]
    return { error: { message, type, code, param: null } }
  },
  write: async (answer, question, reply) => {
    const item = itemOf(answer, reply)
    const response = (status: string, output: Json[], usage: Json) => ({
      ...{ id: `resp_${reply.number}`, object: 'response', created_at: 1, status, model: question.model, output, usage },
      ...{ parallel_tool_calls: true, tools: [], error: null, incomplete_details: null },
    })
    if (!question.stream) return reply.json(200, response('completed', [item], USAGE))
    let sequence = 0
    const event = (type: string, more: Record<string, Json>) => {
      reply.event({ type, sequence_number: sequence, ...more }, type)
      sequence += 1
    }
    event('response.created', { response: response('in_progress', [], null) })
    await stream(answer, item, reply, event)
    event('response.output_item.done', { output_index: 0, item })
    event('response.completed', { response: response('completed', [item], USAGE) })
    reply.end()
  },
}

/** Tools may come in groups (of one MCP server each): a call then names the group too. */
function toolsIn(tools: Json | undefined, namespace?: string): OfferedTool[] {
  return list(tools)
    .map(object)
    .flatMap((tool) => {
      if (tool['type'] === 'namespace') return toolsIn(tool['tools'], text(tool['name']))
      const offered = { name: text(tool['name']) || text(tool['type']), parameters: tool['parameters'] ?? {} }
      return [namespace === undefined ? offered : { ...offered, namespace }]
    })
}

type Spoken = Extract<Answer, { kind: 'text' | 'tool' }>

function itemOf(answer: Spoken, reply: Reply): Record<string, Json> {
  if (answer.kind === 'text') {
    const content = [{ type: 'output_text', text: answer.text, annotations: [] }]
    return { type: 'message', id: `msg_${reply.number}`, role: 'assistant', status: 'completed', content }
  }
  const { name, namespace } = answer.tool
  return {
    ...{ type: 'function_call', id: `fc_${reply.number}`, call_id: `call_${reply.number}`, name },
    ...(namespace === undefined ? {} : { namespace }),
    ...{ arguments: JSON.stringify(answer.input), status: 'completed' },
  }
}

async function stream(
  answer: Spoken,
  item: Record<string, Json>,
  reply: Reply,
  event: (type: string, more: Record<string, Json>) => void,
): Promise<void> {
  const place = { item_id: item['id'] ?? '', output_index: 0 }
  if (answer.kind === 'tool') {
    const text = item['arguments'] ?? ''
    event('response.output_item.added', { output_index: 0, item: { ...item, arguments: '', status: 'in_progress' } })
    event('response.function_call_arguments.delta', { ...place, delta: text })
    event('response.function_call_arguments.done', { ...place, arguments: text })
    return
  }
  event('response.output_item.added', { output_index: 0, item: { ...item, content: [], status: 'in_progress' } })
  const part = { type: 'output_text', text: '', annotations: [] }
  event('response.content_part.added', { ...place, content_index: 0, part })
  for await (const word of reply.words(answer.text, answer.pauseMs)) {
    event('response.output_text.delta', { ...place, content_index: 0, delta: word })
  }
  event('response.output_text.done', { ...place, content_index: 0, text: answer.text })
}
