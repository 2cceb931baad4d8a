/** Reading JSON whose shape nobody promised: what is not there is empty. */
import type { Json } from '../../../shared/json.ts'

export function object(value: Json | undefined): Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** The words of a message: a text, or a list of parts of which some are text. */
export function wordsOf(content: Json | undefined): string {
  return typeof content === 'string'
    ? content
    : list(content)
        .map((part) => text(object(part)['text']))
        .join('\n')
}
