/** Runs that live in memory, with every promise of the ports and none of the files: the second implementation of the suites. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Attempt, CommandEntry, NewRun, OpenRun, RunInbox, RunInfo, RunPage, RunRead, RunStore } from '../../../main/engine/ports.ts'
import { summarize } from '../../../main/store/run-summary.ts'
import { AppError } from '../../../shared/errors.ts'
import type { RequestId, RunId } from '../../../shared/ids.ts'
import { canonicalJson, type Json } from '../../../shared/json.ts'
import type { RunEvent } from '../../../shared/run/events.ts'
import type { JournalRecord, NewRecord, Owner, Value } from '../../../shared/run/record.ts'
import type { RunView } from '../../../shared/run/view.ts'

const INLINE_BYTES = 64 * 1024

interface MemoryRun {
  info: RunInfo
  records: JournalRecord[]
  events: RunEvent[]
  blobs: Map<string, string>
  view: RunView | null
  attempt: number
  token: string
  owner: Owner
  commands: CommandEntry[]
}

/** What outlives every process. */
export interface MemoryWorld {
  runs: Map<RunId, MemoryRun>
  requests: Map<RequestId, { asked: string; runId: RunId }>
}

export class MemoryStore implements RunStore {
  readonly inbox: RunInbox = { post: (...given) => this.#post(...given), take: (runId, signal) => this.#take(runId, signal) }
  readonly #world: MemoryWorld
  readonly #isAlive: (owner: Owner) => boolean

  constructor(world: MemoryWorld, isAlive: (owner: Owner) => boolean) {
    this.#world = world
    this.#isAlive = isAlive
  }

  async create(run: NewRun, requestId: RequestId, owner: Owner) {
    const { runId: id, text: _, ...asked } = run
    const before = this.#world.requests.get(requestId)
    if (before !== undefined) {
      if (before.asked !== canonicalJson({ ...asked })) throw new AppError('request-conflict', 'This request asked for something else.')
      return { runId: before.runId, number: this.#run(before.runId).info.number, token: '', existed: true }
    }
    const info = { ...asked, runId: id, number: this.#world.runs.size + 1, requestId, createdAt: 0 }
    const made: MemoryRun = { info, records: [], events: [], blobs: new Map(), view: null, attempt: 0, token: '', owner, commands: [] }
    this.#world.runs.set(id, made)
    this.#world.requests.set(requestId, { asked: canonicalJson({ ...asked }), runId: id })
    const { source, engine, policy, backend } = run
    claim(made, { owner, script: { ...source, text: run.text }, engine, policy, backend })
    return { runId: id, number: info.number, token: made.token, existed: false }
  }

  async adopt(runId: RunId, token: string): Promise<OpenRun> {
    const run = this.#run(runId)
    if (run.token !== token) throw fenced()
    return opened(run)
  }

  async open(runId: RunId, attempt: Attempt): Promise<OpenRun | { heldBy: Owner }> {
    const run = this.#run(runId)
    if (!hasEnded(run) && this.#isAlive(run.owner)) return { heldBy: run.owner }
    claim(run, attempt)
    return opened(run)
  }

  async *feed(runId: RunId, after: number, signal: AbortSignal): AsyncGenerator<RunEvent[]> {
    for (let seen = after; !signal.aborted; await turn()) {
      const fresh = this.#run(runId).events.filter((event) => event.seq > seen)
      seen = fresh.at(-1)?.seq ?? seen
      if (fresh.length > 0) yield fresh
    }
  }

  async list({ offset = 0, limit }: { offset?: number; limit: number }): Promise<RunPage> {
    const runs = [...this.#world.runs.values()].flatMap(({ view }) => (view === null ? [] : [summarize(view, 0)]))
    return { runs: runs.slice(offset, offset + limit), total: runs.length }
  }

  async read(runId: RunId): Promise<RunRead> {
    const run = this.#run(runId)
    if (run.view === null) throw new AppError('run-damaged', 'This run has no view yet.')
    return { info: run.info, records: run.records, badLines: [], view: run.view, owner: run.owner, ownerAlive: this.#isAlive(run.owner) }
  }

  async #post(runId: RunId, entry: CommandEntry, waitMs: number) {
    const run = this.#run(runId)
    const outcome = (): string | undefined =>
      run.records.flatMap((record) => (record.t === 'command' && record.id === entry.id ? [record.outcome] : []))[0]
    if (outcome() !== undefined) return 'repeated'
    if (hasEnded(run) || !this.#isAlive(run.owner)) return 'ended'
    run.commands.push(entry)
    for (const until = Date.now() + waitMs; Date.now() < until; await turn()) {
      const said = outcome()
      if (said !== undefined) return said === 'stale' ? 'stale' : 'accepted'
      if (hasEnded(run)) break
    }
    run.commands = run.commands.filter((other) => other !== entry)
    return hasEnded(run) ? 'ended' : 'no-answer'
  }

  async *#take(runId: RunId, signal: AbortSignal): AsyncGenerator<CommandEntry & { done(): Promise<void> }> {
    const taken = new Set<string>()
    for (; !signal.aborted; await turn()) {
      const next = this.#run(runId).commands.shift()
      if (next === undefined || taken.has(next.id)) continue
      taken.add(next.id)
      yield { ...next, done: async () => undefined }
    }
  }

  #run(runId: RunId): MemoryRun {
    const run = this.#world.runs.get(runId)
    if (run === undefined) throw new AppError('run-unknown', `There is no run ${runId}.`)
    return run
  }
}

function claim(run: MemoryRun, { owner, script, args, ...rest }: Attempt): void {
  run.attempt += 1
  run.token = `token ${run.attempt}`
  run.owner = owner
  add(run, {
    t: 'attempt',
    attempt: run.attempt,
    token: run.token,
    owner,
    script: script.sha256,
    ...(args !== undefined && { args }),
    ...rest,
  })
}

function add(run: MemoryRun, record: NewRecord): JournalRecord {
  const whole = { ...record, n: run.records.length + 1, at: run.records.length + 1 }
  run.records.push(whole)
  return whole
}

const hasEnded = (run: MemoryRun): boolean => run.records.some((record) => record.t === 'end' && record.attempt === run.attempt)
const fenced = (): AppError => new AppError('fenced', 'Another owner has this run.')

function opened(run: MemoryRun): OpenRun {
  const { attempt, token, info } = run
  const owned = (): void => {
    if (run.token !== token) throw fenced()
  }
  return {
    ...{ runId: info.runId, attempt, token, info },
    history: async () => ({ records: [...run.records], badLines: [] }),
    append: async (records) => {
      owned()
      return records.map((record) => add(run, record))
    },
    put: async (value: Json): Promise<Value> => {
      const text = JSON.stringify(value)
      const bytes = Buffer.byteLength(text)
      if (bytes <= INLINE_BYTES) return { inline: value }
      const sha256 = `blob ${run.blobs.size}`
      run.blobs.set(sha256, text)
      return { blob: { sha256, bytes, type: 'application/json' } }
    },
    get: async (value) => ('inline' in value ? value.inline : (JSON.parse(run.blobs.get(value.blob.sha256) ?? 'null') as Json)),
    keepSource: async () => ({ sha256: info.source.sha256, file: 'memory' }),
    publish: (events, view) => {
      run.events.push(...events)
      run.view = view
    },
    transcript: () => undefined,
    child: () => undefined,
    release: async (view) => {
      run.view = view
    },
  }
}
