/** One line of `events.jsonl`. Kinds of a newer version are kept as they are; a malformed or altered line is no event. */
import { RunEvent } from '../../shared/run/events.ts'
import { sealed, sealOf } from './checksum.ts'

const KNOWN: ReadonlySet<string> = new Set(RunEvent.options.map((option) => option.shape.type.value))

/** The event of a line, null when the line is torn or no event. Never throws. */
export function decodeEvent(line: string): RunEvent | null {
  if (sealOf(line) === 'altered') return null
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') return null
  if (!KNOWN.has(value.type)) return isUnknownEvent(value) ? unsealed(value) : null
  const parsed = RunEvent.safeParse(value)
  return parsed.success ? parsed.data : null
}

function unsealed<T extends object>(value: T): T {
  const { crc: _, ...event } = value as T & { crc?: string }
  return event as T
}

/** Only the place in the stream is looked at; the reducer passes over what it does not know. */
function isUnknownEvent(value: object): value is RunEvent {
  return 'seq' in value && Number.isInteger(value.seq) && 'at' in value && typeof value.at === 'number' && 'attempt' in value
}

/** The line of an event, without its newline. */
export function encodeEvent(event: object): string {
  return sealed(JSON.stringify(event))
}

export function encodeEvents(events: readonly RunEvent[]): string {
  let text = ''
  for (const event of events) text += `${encodeEvent(event)}\n`
  return text
}
