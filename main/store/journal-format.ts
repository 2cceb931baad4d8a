/**
 * One journal line: a record as JSON with its members in a fixed order and a checksum as the last one. A line that does
 * not check out is refused with a reason and never repaired.
 */
import type { JournalRecord, NewRecord } from '../../shared/run/record.ts'
import { CALL_KINDS } from '../../shared/run/record.ts'
import { checksum } from './checksum.ts'

export const JOURNAL_VERSION = 2

/** `,"crc":"` + 8 hex digits + `"}` */
const TAIL_BYTES = 18

/** Members on disk, in order, after `v n at t`. Members not named here (of a newer version) come last. */
const MEMBERS: { readonly [T in NewRecord['t']]: readonly string[] } = {
  attempt: ['attempt', 'token', 'owner', 'script', 'args', 'engine', 'policy', 'from', 'backend', 'choices'],
  call: ['call', 'kind', 'fp', 'label', 'phase', 'params', 'attempt'],
  started: ['call', 'attempt', 'generation', 'worker', 'wakeAt', 'session', 'shown'],
  result: ['call', 'attempt', 'result', 'usage', 'cost', 'ms', 'tries', 'backend'],
  command: ['id', 'outcome'],
  end: ['attempt', 'end', 'counts', 'value'],
}

const HEAD: readonly string[] = ['n', 'at', 't']

/** The line of a record, without its newline. */
export function encodeRecord(record: JournalRecord): string {
  const { n, at, t } = record
  const members = MEMBERS[t]
  const given: { [name: string]: unknown } = { ...record }
  let open = `{"v":${JOURNAL_VERSION},"n":${n},"at":${at},"t":"${t}"`
  const add = (name: string): void => {
    if (given[name] !== undefined) open += `,"${name}":${JSON.stringify(given[name])}`
  }
  for (const name of members) add(name)
  for (const name of Object.keys(given)) if (!HEAD.includes(name) && !members.includes(name)) add(name)
  return `${open},"crc":"${checksum(open)}"}`
}

export type Decoded = { ok: true; record: JournalRecord } | { ok: false; reason: string; newer: boolean }

const bad = (reason: string, newer = false): Decoded => ({ ok: false, reason, newer })

/** Reads the bytes of one line (without its newline). Never throws. */
export function decodeRecord(line: Buffer): Decoded {
  if (line[0] !== 0x7b || line.length <= TAIL_BYTES) return bad(line.includes(0) ? 'holds NUL bytes' : 'is cut off')
  const open = line.subarray(0, line.length - TAIL_BYTES)
  const tail = line.toString('latin1', open.length)
  if (!tail.startsWith(',"crc":"') || !tail.endsWith('"}')) return bad(line.includes(0) ? 'holds NUL bytes' : 'is cut off')
  if (tail.slice(8, 16) !== checksum(open)) return bad('does not match its checksum')
  let value: unknown
  try {
    value = JSON.parse(`${open.toString('utf8')}}`)
  } catch {
    return bad('is no JSON')
  }
  if (!isObject(value)) return bad('is no record')
  if (typeof value['v'] === 'number' && value['v'] > JOURNAL_VERSION) return bad('was written by a newer version', true)
  const { v, ...record } = value
  if (v !== JOURNAL_VERSION) return bad('has no known version')
  return isRecord(record) ? { ok: true, record } : bad(`is no usable record of kind ${JSON.stringify(record['t'])}`)
}

type Loose = { [key: string]: unknown }

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isCount = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0
const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): boolean => value === null || isText(value)
const isNumberOrNull = (value: unknown): boolean => value === null || typeof value === 'number'

/** A light check: what every reader relies on is there and of its type. The checksum vouches for the rest. */
function isRecord(value: Loose): value is JournalRecord & Loose {
  if (!isCount(value['n']) || typeof value['at'] !== 'number') return false
  switch (value['t']) {
    case 'attempt':
      return (
        isCount(value['attempt']) && isText(value['token']) && isOwner(value['owner']) && isText(value['script']) && isText(value['policy'])
      )
    case 'call':
      return (
        isCount(value['call']) &&
        isKind(value['kind']) &&
        isText(value['fp']) &&
        isTextOrNull(value['label']) &&
        isTextOrNull(value['phase'])
      )
    case 'started':
      return isCount(value['call']) && isCount(value['attempt']) && isCount(value['generation'])
    case 'result':
      return (
        isCount(value['call']) &&
        isCount(value['attempt']) &&
        isResult(value['result']) &&
        isUsage(value['usage']) &&
        isNumberOrNull(value['cost'])
      )
    case 'command':
      return isText(value['id']) && isText(value['outcome'])
    case 'end':
      return isCount(value['attempt']) && isObject(value['end']) && isText(value['end']['status']) && isObject(value['counts'])
    default:
      return false
  }
}

function isKind(value: unknown): boolean {
  return (CALL_KINDS as readonly unknown[]).includes(value)
}

function isOwner(value: unknown): boolean {
  return (
    isObject(value) && isCount(value['pid']) && typeof value['startTime'] === 'number' && isText(value['boot']) && isText(value['host'])
  )
}

function isUsage(value: unknown): boolean {
  return isObject(value) && typeof value['inputTokens'] === 'number' && typeof value['outputTokens'] === 'number'
}

function isResult(value: unknown): boolean {
  if (!isObject(value)) return false
  switch (value['kind']) {
    case 'ok':
      return isValue(value['output'])
    case 'dead':
      return isText(value['reason']) && isText(value['detail'])
    case 'skipped':
    case 'abandoned':
      return true
    default:
      return false
  }
}

function isValue(value: unknown): boolean {
  if (!isObject(value)) return false
  if ('inline' in value) return true
  return isObject(value['blob']) && isText(value['blob']['sha256']) && isCount(value['blob']['bytes'])
}
