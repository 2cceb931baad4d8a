/**
 * One attempt in the hands of its owner: the journal, the events, the cached view, values and texts. Only the journal
 * decides what is saved; caches may fail without a word.
 */
import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { Json } from '../../shared/json.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import type { BadLine, JournalRecord, NewRecord, Owner, Value } from '../../shared/run/record.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { OpenRun, RunInfo } from '../engine/ports.ts'
import { createFile } from './atomic-write.ts'
import { encodeChild } from './child-processes.ts'
import type { Disk } from './disk.ts'
import { writeError } from './disk.ts'
import { EventLog } from './event-log.ts'
import type { IndexStore } from './index-store.ts'
import type { Journal } from './journal.ts'
import type { RunPaths } from './paths.ts'
import { makeFolder, sourceName } from './paths.ts'
import { getValue, markUnreadable, putValue, sha256Of } from './payload.ts'
import type { JournalReader } from './read-journal.ts'
import { badLines, readJournal } from './read-journal.ts'
import { SavedCalls } from './run-facts.ts'
import { summarize } from './run-summary.ts'
import { StateCache } from './state-cache.ts'
import { type TranscriptLine, TranscriptWriter } from './transcript.ts'

export interface OwnedRun {
  info: RunInfo
  files: RunPaths
  journal: Journal
  reader: JournalReader
  token: string
  owner: Owner
  index: IndexStore
  disk: Disk
}

export class LocalOpenRun implements OpenRun {
  readonly runId: RunId
  readonly attempt: number
  readonly token: string
  readonly info: RunInfo
  readonly #o: Omit<OwnedRun, 'reader'>
  readonly #events: EventLog
  readonly #state: StateCache
  readonly #saved: SavedCalls
  readonly #transcripts: TranscriptWriter
  /** The history as read when the run was taken; let go once it is handed over. */
  #reader: JournalReader | null
  #indexed = ''
  #released = false

  constructor({ reader, ...owned }: OwnedRun) {
    this.runId = owned.info.runId
    this.attempt = reader.attempt
    this.token = owned.token
    this.info = owned.info
    this.#o = owned
    this.#reader = reader
    this.#saved = new SavedCalls(reader.records)
    this.#events = new EventLog(owned.files.events, owned.disk)
    this.#state = new StateCache(owned.files, owned.disk)
    this.#transcripts = new TranscriptWriter(owned.files.transcripts)
  }

  async history(): Promise<{ records: JournalRecord[]; badLines: BadLine[] }> {
    const path = this.#o.files.journal
    const reader = this.#reader ?? readJournal(path)
    this.#reader = null
    return { records: markUnreadable(this.#o.files, reader.records), badLines: badLines(reader, path, true) }
  }

  async append(records: NewRecord[], options: { sync?: boolean } = {}): Promise<JournalRecord[]> {
    const written = await this.#o.journal.append(records, options)
    for (const record of written) this.#saved.add(record)
    return written
  }

  async put(value: Json): Promise<Value> {
    return putValue(this.#o.files, value, this.#o.disk)
  }

  async get(value: Value): Promise<Json> {
    return getValue(this.#o.files, value)
  }

  async keepSource(text: string, ext: string): Promise<{ sha256: string; file: string }> {
    const sha256 = sha256Of(text)
    const file = sourceName(sha256, ext)
    const path = join(this.#o.files.sources, file)
    try {
      makeFolder(this.#o.files.sources)
      if (!existsSync(path)) createFile(path, text, this.#o.disk)
    } catch (error) {
      throw writeError(error, path)
    }
    return { sha256, file }
  }

  publish(events: RunEvent[], view: RunView): void {
    if (this.#released) throw new AppError('run-ended', `Attempt ${this.attempt} of run ${this.runId} was closed already.`)
    this.#events.append(events)
    const { journal } = this.#o
    this.#state.offer(() => ({ view, journalBytes: journal.bytes, eventsBytes: this.#events.bytes }))
    this.#index(view)
  }

  transcript(call: number, line: TranscriptLine): void {
    if (!this.#released) this.#transcripts.add(call, line)
  }

  child(entry: { pid: number; startTime: number; call: number }): void {
    try {
      appendFileSync(this.#o.files.children, encodeChild({ ...entry, boot: this.#o.owner.boot }))
    } catch (error) {
      throw writeError(error, this.#o.files.children)
    }
  }

  async release(view: RunView): Promise<void> {
    if (this.#released) return
    this.#released = true
    this.#o.journal.close()
    this.#events.flush()
    this.#transcripts.flush()
    await this.#state.settle({ view, journalBytes: this.#o.journal.bytes, eventsBytes: this.#events.bytes })
    this.#events.close()
    this.#index(view)
  }

  /** A row for each change that the list shows as a change of state. */
  #index(view: RunView): void {
    const key = JSON.stringify([view.status, view.reason, view.currentPhase, view.attempt])
    if (key === this.#indexed) return
    try {
      this.#o.index.append({ summary: summarize(view, this.#saved.size), owner: view.endedAt === null ? this.#o.owner : null })
      this.#indexed = key
    } catch {
      // Tried again at the next change; until then readers look into the run's folder.
    }
  }
}
