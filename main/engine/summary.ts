/** The few words a row shows of a call and of its result. */
import type { Json } from '../../shared/json.ts'
import type { CallKind } from '../../shared/run/record.ts'

const SUMMARY_LENGTH = 40
const TITLE_LENGTH = 60

/** First words of what was asked: shown where a call has no label. */
export function titleOf(kind: string, request: Json): string {
  const { prompt, command, question, ms } = isObject(request) ? request : {}
  if (typeof ms === 'number') return `Sleep ${time(ms)}`
  const asked = prompt ?? (Array.isArray(command) ? command.join(' ') : command) ?? question
  return typeof asked === 'string' ? cut(firstLine(asked), TITLE_LENGTH) || kind : kind
}

/** How a check ended, or what was chosen at a gate; of an agent the first line of a text; of an object its `summary`, `title` or `verdict`, else the size of its first array. */
export function summaryOf(output: Json, kind: CallKind = 'agent'): string {
  if (kind === 'check' && isObject(output)) return output['exitCode'] === 0 ? 'passed' : `exit code ${String(output['exitCode'])}`
  if (kind === 'gate' && isObject(output)) return cut(firstLine(String(output['choice'])), SUMMARY_LENGTH)
  if (typeof output === 'string') return cut(firstLine(output), SUMMARY_LENGTH)
  if (Array.isArray(output)) return items(output.length)
  if (!isObject(output)) return output === null ? '' : String(output)
  for (const key of ['summary', 'title', 'verdict']) {
    const text = output[key]
    if (typeof text === 'string') return cut(firstLine(text), SUMMARY_LENGTH)
  }
  const list = Object.values(output).find((member) => Array.isArray(member))
  return Array.isArray(list) ? items(list.length) : ''
}

/** In the two largest units: `1h 30m`, `45s`, `20ms`. */
function time(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`
  const seconds = Math.round(ms / 1000)
  const units: [number, string][] = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ]
  const parts = units.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : []))
  return parts.slice(0, 2).join(' ')
}

function items(count: number): string {
  return count === 1 ? '1 item' : `${count} items`
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]?.trim() ?? ''
}

function cut(text: string, length: number): string {
  // A character is two units at most; a whole long text is not taken apart for its beginning.
  const characters = [...text.slice(0, 2 * length)]
  return text.length <= 2 * length && characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
