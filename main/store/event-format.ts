/** One line of `events.jsonl`. Kinds of a newer version are kept as they are; a malformed line is no event. */
import { RunEvent } from '../../shared/run/events.ts'

const KNOWN: ReadonlySet<string> = new Set(RunEvent.options.map((option) => option.shape.type.value))

/** The event of a line, null when the line is torn or no event. Never throws. */
export function decodeEvent(line: string): RunEvent | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') return null
  if (!KNOWN.has(value.type)) return isUnknownEvent(value) ? value : null
  const parsed = RunEvent.safeParse(value)
  return parsed.success ? parsed.data : null
}

/** Only the place in the stream is looked at; the reducer passes over what it does not know. */
function isUnknownEvent(value: object): value is RunEvent {
  return 'seq' in value && Number.isInteger(value.seq) && 'at' in value && typeof value.at === 'number' && 'attempt' in value
}

export function encodeEvents(events: readonly RunEvent[]): string {
  let text = ''
  for (const event of events) text += `${JSON.stringify(event)}\n`
  return text
}
