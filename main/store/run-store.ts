/**
 * The runs of one project: made, taken, followed, listed and read. What is reported as saved is on the disk; a damaged run
 * hides no other.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import type { RequestId, RunId } from '../../shared/ids.ts'
import type { Json } from '../../shared/json.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import type { Owner, Value } from '../../shared/run/record.ts'
import type { TranscriptPage, TranscriptQuery } from '../../shared/run/transcript.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { Attempt, NewRun, OpenRun, RunInbox, RunInfo, RunPage, RunQuery, RunRead, RunStore } from '../engine/ports.ts'
import { sweepTemps } from './atomic-write.ts'
import { keepBadLines } from './bad-lines-file.ts'
import { endChildren } from './child-processes.ts'
import type { Claimed, ClaimOptions } from './claim-run.ts'
import { adoptAttempt, claimNext } from './claim-run.ts'
import type { Disk } from './disk.ts'
import { nodeDisk } from './disk.ts'
import { readRunOnce } from './ended-runs.ts'
import { followEvents, readEvents } from './event-log.ts'
import { LocalRunInbox, sweepCommands } from './inbox.ts'
import { IndexStore } from './index-store.ts'
import type { Durability } from './journal.ts'
import type { StoredRequest } from './make-run.ts'
import { findRequest, makeRun } from './make-run.ts'
import { LocalOpenRun } from './open-run.ts'
import { processStart } from './owner.ts'
import type { ProjectPaths, RunPaths } from './paths.ts'
import { checkProject, hasRuns, projectPaths, refuseLinks, runPaths, sourceName } from './paths.ts'
import { getValue, markUnreadable, sha256Of } from './payload.ts'
import { setPinned } from './pins.ts'
import { readAttempt } from './read-attempt.ts'
import { readRunInfo } from './run-info.ts'
import { listRuns, rowOf } from './run-list.ts'
import { takeOlderRun } from './take-older-run.ts'
import { readTranscript } from './transcript.ts'

export interface StoreOptions {
  /** `full` by default. */
  durability?: Durability
  disk?: Disk
  now?: () => number
}

export interface OpenOptions {
  /** The caller knows that the owner is gone: its thread ended, or the user says so of another machine's process. */
  takeOver?: boolean
}

/** The runs of one project. Nothing is read or made until it is asked for. */
export function openStore(project: string, options: StoreOptions = {}): LocalRunStore {
  return new LocalRunStore(project, options)
}

export class LocalRunStore implements RunStore {
  readonly inbox: RunInbox
  readonly #paths: ProjectPaths
  readonly #index: IndexStore
  readonly #claim: ClaimOptions

  constructor(project: string, { durability = 'full', disk = nodeDisk, now = Date.now }: StoreOptions) {
    this.#paths = projectPaths(project)
    this.#index = new IndexStore(this.#paths, disk)
    this.#claim = { disk, durability, now }
    this.inbox = new LocalRunInbox(this.#paths, disk)
  }

  async create(
    run: NewRun,
    requestId: RequestId,
    owner: Owner,
  ): Promise<{ runId: RunId; number: number; token: string; existed: boolean }> {
    const { runId, made } = makeRun(this.#paths, run, requestId, owner, this.#claim.now(), this.#claim.disk)
    if (made === null) return { runId, number: readRunInfo(runPaths(this.#paths, runId)).number, token: '', existed: true }
    try {
      this.#index.append(rowOf(this.#paths, runId))
    } catch {
      // The list finds a folder without a row by itself.
    }
    return { runId, number: made.info.number, token: made.token, existed: false }
  }

  /** The run that a request made, looked up before anything else of it is; null when it made none. */
  request(requestId: string): StoredRequest | null {
    const stored = findRequest(this.#paths, requestId)
    return stored !== null && this.has(stored.runId) ? stored : null
  }

  has(runId: string): boolean {
    try {
      runPaths(this.#paths, runId)
      return true
    } catch (error) {
      if (error instanceof AppError && error.code === 'run-unknown') return false
      throw error
    }
  }

  async adopt(runId: RunId, token: string): Promise<OpenRun> {
    const files = runPaths(this.#paths, runId)
    const info = readRunInfo(files)
    refuseLinks(files.folder)
    return this.#owned(info, files, adoptAttempt(runId, files.journal, token, this.#claim))
  }

  /**
   * Adds the next attempt, unless somebody is at work on the run. What a dead owner left running is ended first.
   * @throws AppError `run-unknown`, `run-damaged`, `run-read-only`, `journal-missing`, `newer-format`, `run-foreign-host`,
   * `disk-full`, `no-permission`
   */
  async open(runId: RunId, attempt: Attempt, options: OpenOptions = {}): Promise<OpenRun | { heldBy: Owner }> {
    const found = runPaths(this.#paths, runId)
    refuseLinks(found.folder)
    takeOlderRun(this.#paths, found)
    const files = runPaths(this.#paths, runId)
    const info = readRunInfo(files)
    if (info.redacted === true) throw readOnlyRun(runId)
    const claimed = claimNext(runId, files.journal, attempt, { ...this.#claim, ...options })
    if ('heldBy' in claimed) return claimed
    if (claimed.wasCutOff) await endChildren(files, runId)
    const run = this.#owned(info, files, claimed)
    await run.keepSource(attempt.script.text, attempt.script.ext)
    return run
  }

  #owned(info: RunInfo, files: RunPaths, { journal, reader, token }: Claimed): LocalOpenRun {
    const owner = reader.owner?.owner
    if (owner === undefined) throw new AppError('internal', `Run ${info.runId} was opened without an owner.`)
    try {
      keepBadLines(files, reader, this.#claim.now())
      sweepCommands(files.commands, reader.attempt)
      sweepTemps(files.folder, (pid) => processStart(pid) !== null)
      return new LocalOpenRun({ info, files, journal, reader, token, owner, index: this.#index, disk: this.#claim.disk })
    } catch (error) {
      journal.close()
      throw error
    }
  }

  /** The events of a run as far as they are written, in pieces. */
  *events(runId: RunId, after = 0): Generator<RunEvent[]> {
    for (const { events } of readEvents(runPaths(this.#paths, runId).events, 0)) {
      const fresh = events.filter((event) => event.seq > after)
      if (fresh.length > 0) yield fresh
    }
  }

  feed(runId: RunId, after: number, signal: AbortSignal): AsyncIterable<RunEvent[]> {
    return followEvents(runPaths(this.#paths, runId).events, after, signal)
  }

  async list(query: RunQuery): Promise<RunPage> {
    checkProject(this.#paths.project)
    return hasRuns(this.#paths) ? listRuns(this.#paths, this.#index, query) : { runs: [], total: 0 }
  }

  /** @throws AppError `run-unknown`, `disk-full`, `no-permission` */
  setPinned(runId: RunId, pinned: boolean): void {
    setPinned(runPaths(this.#paths, runId), pinned)
  }

  async read(runId: RunId): Promise<RunRead> {
    return readRunOnce(runPaths(this.#paths, runId))
  }

  /** One attempt of a run as it was when it ended; the newest one as it is. */
  async readAttempt(runId: RunId, attempt: number): Promise<RunView> {
    return readAttempt(runPaths(this.#paths, runId), attempt)
  }

  /** A run as `read` gives it, with a mark on each saved result whose value can't be read any more: for who resumes it. */
  async readForResume(runId: RunId): Promise<RunRead> {
    const read = await this.read(runId)
    return { ...read, records: markUnreadable(runPaths(this.#paths, runId), read.records) }
  }

  /** A value of a run in full. */
  async value(runId: RunId, value: Value): Promise<Json> {
    return getValue(runPaths(this.#paths, runId), value)
  }

  /** A piece of the transcript of a call. */
  async transcript(runId: RunId, call: number, query: TranscriptQuery): Promise<TranscriptPage> {
    return readTranscript(runPaths(this.#paths, runId).transcripts, call, query)
  }

  /** Where a run keeps a text that ran in it. */
  sourcePath(runId: RunId, sha256: string, ext: string): string {
    return join(runPaths(this.#paths, runId).sources, sourceName(sha256, ext))
  }

  /** A text that ran in this run, by its hash. */
  async source(runId: RunId, sha256: string, ext: string): Promise<string> {
    const path = this.sourcePath(runId, sha256, ext)
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch (error) {
      throw new AppError('run-damaged', `The saved text ${path} can't be read.`, { cause: error })
    }
    if (sha256Of(text) !== sha256) throw new AppError('run-damaged', `The saved text ${path} was changed since it ran.`)
    return text
  }
}

/** Why a run without its secrets does not go on. */
export function readOnlyRun(runId: string): AppError {
  return new AppError(
    'run-read-only',
    `Run ${runId} was exported with its secrets taken out, so it can be looked at and not resumed. Ask for an export without redaction.`,
  )
}
