/** Values of any size: up to 64 KB they stay where they are named, larger ones lie in `payload/<sha256>`, synced first. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { Json } from '../../shared/json.ts'
import type { JournalRecord, Value } from '../../shared/run/record.ts'
import { replaceFile } from './atomic-write.ts'
import type { Disk } from './disk.ts'
import { nodeDisk, writeError } from './disk.ts'
import type { RunPaths } from './paths.ts'
import { makeFolder, payloadPath } from './paths.ts'

const INLINE_BYTES = 64 * 1024

export function sha256Of(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Stores a value; a large one is on the disk when this returns.
 * @throws AppError `disk-full`, `no-permission`
 */
export function putValue(run: RunPaths, value: Json, disk: Disk = nodeDisk): Value {
  const text = JSON.stringify(value)
  // A UTF-16 unit takes at most three bytes of UTF-8: most values need no encoding to be seen to fit.
  if (text.length * 3 <= INLINE_BYTES) return { inline: value }
  const bytes = Buffer.from(text)
  if (bytes.length <= INLINE_BYTES) return { inline: value }
  const sha256 = sha256Of(bytes)
  const path = payloadPath(run, sha256)
  if (!isStored(path, sha256)) {
    try {
      makeFolder(dirname(path))
      replaceFile(path, bytes, disk)
    } catch (error) {
      throw writeError(error, path)
    }
  }
  return { blob: { sha256, bytes: bytes.length, type: 'application/json' } }
}

/**
 * The value behind a reference, checked against its hash.
 * @throws AppError `run-damaged` when the payload is gone or was changed
 */
export function getValue(run: RunPaths, value: Value): Json {
  if ('inline' in value) return value.inline
  const path = payloadPath(run, value.blob.sha256)
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw new AppError('run-damaged', `The saved value ${path} can't be read. Run the call that made it again.`, { cause: error })
  }
  if (sha256Of(bytes) !== value.blob.sha256) {
    throw new AppError('run-damaged', `The saved value ${path} was changed since it was saved. Run the call that made it again.`)
  }
  const parsed: Json = JSON.parse(bytes.toString('utf8'))
  return parsed
}

/** The same records, with a mark on each saved result whose value is gone or was changed. Reads every stored value. */
export function markUnreadable(run: RunPaths, records: readonly JournalRecord[]): JournalRecord[] {
  return records.map((record) => {
    if (record.t !== 'result' || record.result.kind !== 'ok' || !('blob' in record.result.output)) return record
    const { output } = record.result
    if (isStored(payloadPath(run, output.blob.sha256), output.blob.sha256)) return record
    return { ...record, result: { kind: 'ok', output: { ...output, unreadable: true } } }
  })
}

function isStored(path: string, sha256: string): boolean {
  try {
    return sha256Of(readFileSync(path)) === sha256
  } catch {
    return false
  }
}
