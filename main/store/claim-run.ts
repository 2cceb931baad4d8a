/**
 * Who owns an attempt: the journal is the arbiter, there is no lock file. A claimant whose predecessor is dead or done
 * appends its own attempt record and reads the file again; the first record of an attempt owns it, all others withdraw.
 */
import { randomBytes } from 'node:crypto'
import { closeSync } from 'node:fs'
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { NewRecord, Owner } from '../../shared/run/record.ts'
import type { Attempt } from '../engine/ports.ts'
import type { Disk } from './disk.ts'
import { writeAll, writeError } from './disk.ts'
import type { Durability } from './journal.ts'
import { Journal, OWNER_FLAGS } from './journal.ts'
import { encodeRecord } from './journal-format.ts'
import { NOBODY, ownerState } from './owner.ts'
import { JournalReader, openJournal, readInto } from './read-journal.ts'

export interface ClaimOptions {
  disk: Disk
  durability: Durability
  now: () => number
  /**
   * The caller knows that the owner is gone although it may look alive: a thread of this process that ended, or a
   * process of another machine, by the user's word.
   */
  takeOver?: boolean
}

export interface Claimed {
  journal: Journal
  reader: JournalReader
  token: string
  /** The attempt before this one has no end: its owner died at work. */
  wasCutOff: boolean
}

/** Someone who claims in the same moment and ends at once leaves the next attempt free. */
const CLAIM_TRIES = 3

/**
 * Claims the next attempt of a run.
 * @throws AppError `journal-missing`, `newer-format`, `run-foreign-host`, `disk-full`, `no-permission`
 */
export function claimNext(runId: RunId, path: string, attempt: Attempt, options: ClaimOptions): Claimed | { heldBy: Owner } {
  const fd = openJournal(path, OWNER_FLAGS)
  let kept = false
  try {
    const reader = new JournalReader()
    readInto(reader, fd, 0)
    if (reader.newer) throw new AppError('newer-format', `Run ${runId} was continued by a newer version of Reprise. Update to resume it.`)
    for (let tries = 0; tries < CLAIM_TRIES; tries++) {
      const holder = holderOf(runId, reader, options.takeOver === true && tries === 0)
      if (holder !== null) return { heldBy: holder }
      const token = randomBytes(16).toString('hex')
      const number = reader.attempt + 1
      const wasCutOff = reader.end === null
      appendAttempt(fd, path, attemptRecord(attempt, number, token), reader.lastN + 1, options)
      readInto(reader, fd, reader.bytes)
      if (reader.attempt === number && reader.owner?.token === token) {
        kept = true
        return { journal: journalOf(fd, path, reader, options), reader, token, wasCutOff }
      }
    }
    return { heldBy: reader.owner?.owner ?? NOBODY }
  } finally {
    if (!kept) closeSync(fd)
  }
}

/**
 * Takes the attempt that `token` owns already.
 * @throws AppError `fenced` when another attempt began since
 */
export function adoptAttempt(runId: RunId, path: string, token: string, options: ClaimOptions): Claimed {
  const fd = openJournal(path, OWNER_FLAGS)
  try {
    const reader = new JournalReader()
    readInto(reader, fd, 0)
    if (reader.owner?.token !== token) throw new AppError('fenced', `Run ${runId} is owned by another process since. Open it again.`)
    return { journal: journalOf(fd, path, reader, options), reader, token, wasCutOff: false }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** Who is at work on the last attempt; null when it has ended or its owner is dead. */
function holderOf(runId: RunId, reader: JournalReader, takeOver: boolean): Owner | null {
  const owner = reader.owner?.owner
  if (reader.end !== null || owner === undefined || takeOver) return null
  const state = ownerState(owner)
  if (state === 'foreign') {
    throw new AppError(
      'run-foreign-host',
      `Run ${runId} belongs to process ${owner.pid} on ${owner.host}. Take it over only when that one is gone.`,
      {
        data: { pid: owner.pid, host: owner.host },
      },
    )
  }
  return state === 'alive' ? owner : null
}

function attemptRecord(
  { owner, script, args, engine, policy, from, backend, choices }: Attempt,
  attempt: number,
  token: string,
): NewRecord {
  const given = args === undefined ? {} : { args }
  const chosen = from === undefined ? {} : { from }
  return {
    t: 'attempt',
    attempt,
    token,
    owner,
    script: script.sha256,
    ...given,
    engine,
    policy,
    ...chosen,
    backend,
    ...(choices !== undefined && { choices }),
  }
}

/** Begins with a newline: a last line that lacked only that is whole again, a torn one ends there. */
function appendAttempt(fd: number, path: string, record: NewRecord, n: number, { disk, durability, now }: ClaimOptions): void {
  try {
    writeAll(disk, fd, Buffer.from(`\n${encodeRecord({ ...record, n, at: now() })}\n`))
    if (durability === 'full') disk.sync(fd)
  } catch (error) {
    throw writeError(error, path)
  }
}

function journalOf(fd: number, path: string, reader: JournalReader, { disk, durability, now }: ClaimOptions): Journal {
  return new Journal({
    fd,
    path,
    attempt: reader.attempt,
    nextN: reader.lastN + 1,
    known: reader.bytes,
    torn: reader.cut !== null,
    disk,
    durability,
    now,
  })
}
