/** The chat completions API that Ollama, LM Studio, vLLM and many others speak, as far as agents use it. */
import type { Dialect } from './fake-api.ts'
import { list, object, text, wordsOf } from './json-shape.ts'
import { FAKE_USAGE } from './scenario.ts'

const USAGE = {
  prompt_tokens: FAKE_USAGE.input,
  completion_tokens: FAKE_USAGE.output,
  total_tokens: FAKE_USAGE.input + FAKE_USAGE.output,
  prompt_tokens_details: { cached_tokens: FAKE_USAGE.cached },
  completion_tokens_details: { reasoning_tokens: FAKE_USAGE.reasoning },
}

export const chatCompletions: Dialect = {
  name: 'chat-completions',
  answers: (method, path) => method === 'POST' && path.endsWith('/chat/completions'),
  read: (body) => {
    const messages = list(body['messages']).map(object)
    const persons = messages.filter((message) => message['role'] === 'user')
    const format = object(object(body['response_format'])['json_schema'])
    return {
      model: text(body['model']),
      said: persons.map((message) => wordsOf(message['content'])).join('\n'),
      tools: list(body['tools'])
        .map((tool) => object(object(tool)['function']))
        .map((tool) => ({ name: text(tool['name']), parameters: tool['parameters'] ?? {} })),
      schema: format['schema'] ?? null,
      toolResults: messages.filter((message) => message['role'] === 'tool').length,
      stream: body['stream'] === true,
    }
  },
  errorBody: (status, message) => {
    const code = status === 401 ? 'invalid_api_key' : status === 429 ? 'rate_limit_exceeded' : null
    return { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', code, param: null } }
  },
  write: async (answer, question, reply) => {
    const head = { id: `chat_${reply.number}`, created: 1, model: question.model }
    const call = answer.kind === 'tool' ? { name: answer.tool.name, arguments: JSON.stringify(answer.input) } : null
    const calls = call === null ? {} : { tool_calls: [{ index: 0, id: `call_${reply.number}`, type: 'function', function: call }] }
    const finish_reason = call === null ? 'stop' : 'tool_calls'
    const said = answer.kind === 'text' ? answer.text : null
    if (!question.stream) {
      const message = { role: 'assistant', content: said, ...calls }
      return reply.json(200, { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage: USAGE })
    }
    const chunk = (delta: Record<string, unknown>, finish: string | null = null) =>
      reply.event({
        ...head,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: JSON.parse(JSON.stringify(delta)), finish_reason: finish }],
      })
    chunk({ role: 'assistant', content: '' })
    if (answer.kind === 'tool') chunk(calls)
    else {
      if (answer.thinking !== undefined) chunk({ reasoning_content: answer.thinking })
      for await (const word of reply.words(answer.text, answer.pauseMs)) chunk({ content: word })
    }
    chunk({}, finish_reason)
    reply.event({ ...head, object: 'chat.completion.chunk', choices: [], usage: USAGE })
    reply.event('[DONE]')
    reply.end()
  },
}
