/** Google's Gemini API, as far as agents use it. */
import type { Json } from '../../../shared/json.ts'
import type { Dialect } from './fake-api.ts'
import { list, object, text, wordsOf } from './json-shape.ts'
import { FAKE_USAGE } from './scenario.ts'

const STATUS_NAMES: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
}
const USAGE = {
  promptTokenCount: FAKE_USAGE.input,
  cachedContentTokenCount: FAKE_USAGE.cached,
  candidatesTokenCount: FAKE_USAGE.output,
  thoughtsTokenCount: FAKE_USAGE.reasoning,
  totalTokenCount: FAKE_USAGE.input + FAKE_USAGE.output + FAKE_USAGE.reasoning,
}
const PATH = /\/models\/([^/:]+):(streamGenerateContent|generateContent|countTokens)$/

export const gemini: Dialect = {
  name: 'gemini',
  answers: (method, path) => method === 'POST' && PATH.test(path) && !path.endsWith(':countTokens'),
  aside: (method, path) => (method === 'POST' && path.endsWith(':countTokens') ? { totalTokens: FAKE_USAGE.input } : null),
  read: (body, path) => {
    const contents = list(body['contents']).map(object)
    const parts = contents.filter((content) => content['role'] === 'user').flatMap((content) => list(content['parts']).map(object))
    const config = object(body['generationConfig'])
    return {
      model: PATH.exec(path)?.[1] ?? '',
      said: wordsOf(parts),
      tools: list(body['tools'])
        .flatMap((group) => list(object(group)['functionDeclarations']))
        .map(object)
        .map((tool) => ({ name: text(tool['name']), parameters: tool['parametersJsonSchema'] ?? tool['parameters'] ?? {} })),
      schema: config['responseJsonSchema'] ?? config['responseSchema'] ?? null,
      toolResults: parts.filter((part) => part['functionResponse'] !== undefined).length,
      stream: path.endsWith(':streamGenerateContent'),
    }
  },
  errorBody: (code, message) => ({ error: { code, message, status: STATUS_NAMES[code] ?? 'UNKNOWN' } }),
  write: async (answer, question, reply) => {
    const chunk = (parts: Json[], finishReason?: string): Json => ({
      candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason === undefined ? {} : { finishReason }) }],
      usageMetadata: USAGE,
      modelVersion: question.model,
    })
    const whole: Json = answer.kind === 'tool' ? { functionCall: { name: answer.tool.name, args: answer.input } } : { text: answer.text }
    if (!question.stream) return reply.json(200, chunk([whole], 'STOP'))
    if (answer.kind === 'tool') reply.event(chunk([whole], 'STOP'))
    else {
      if (answer.thinking !== undefined) reply.event(chunk([{ text: answer.thinking, thought: true }]))
      for await (const word of reply.words(answer.text, answer.pauseMs)) reply.event(chunk([{ text: word }]))
      reply.event(chunk([{ text: '' }], 'STOP'))
    }
    reply.end()
  },
}
