/**
 * The crash test: kills a real engine process over and over, harms its files and its disk, resumes each time, and holds
 * what came of it against what was promised.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ulid } from 'ulid'
import { AppError } from '../../shared/errors.ts'
import { RunId } from '../../shared/ids.ts'
import { canonicalJson } from '../../shared/json.ts'
import type { Durability } from '../store/journal.ts'
import { filesOf, hasRuns, projectPaths } from '../store/paths.ts'
import { runFolders } from '../store/run-list.ts'
import { openStore } from '../store/run-store.ts'
import { type Chance, chanceOf } from './chance.ts'
import { crashScript, expectedValue, stepsFor } from './crash-script.ts'
import { flipBit, tearTail, unnoticed, withFlippedPayload } from './damage.ts'
import { type Ended, type EngineProcesses, engineProcesses } from './engine-child.ts'
import type { EngineInit } from './engine-messages.ts'
import { harmBeside } from './harm-beside.ts'
import { type Kill, killInMaking, killInWords, nextKill } from './kills.ts'
import { Ledger } from './ledger.ts'

export interface CrashTestOptions {
  /** Processes that have to die. */
  kills: number
  /** Calls at work at once; more than one number takes turns. */
  lanes: readonly number[]
  /** A folder for the projects of the test, kept afterwards; a temporary one when absent. */
  dir?: string
  seed: number
  /** The built file of the engine process. */
  entry: URL
  /** `full` by default; with `os` nothing is synced, and the test has to find results lost. */
  durability?: Durability
  onProgress?(figures: CrashFigures): void
  /** Ends the test early; the figures are those up to then. */
  signal?: AbortSignal
}

export interface CrashFigures {
  kills: number
  /** Results that the script was given, or that lay whole in the journal, and that had to be paid again. */
  acknowledgedLost: number
  /** Calls that were at work at a kill and were started again. */
  rerun: number
  /** Most of them after one kill, less the lanes: above 0 is a fault. */
  rerunOverLanes: number
  /** Harmed bytes that gave another result, or took one, without a report. */
  undetected: number
  /** Results that were asked for again since their saved lines had been harmed, which was reported. */
  redone: number
  runs: number
  tornTails: number
  flippedBits: number
  refusedWrites: number
  unsyncedLost: number
  seed: number
  /** What went wrong, a sentence each. */
  failures: string[]
}

/** No faults of any kind. */
export function isClean(figures: CrashFigures): boolean {
  return figures.acknowledgedLost + figures.rerunOverLanes + figures.undetected + figures.failures.length === 0
}

/** More failures than these say nothing new. */
const FAILURES_KEPT = 20

interface RunUnderTest {
  project: string
  requestId: string
  runId: RunId | null
  lanes: number
  ledger: Ledger
  /** What lay in the project before it. */
  earlier: ReadonlySet<RunId>
}

export async function crashTest(options: CrashTestOptions): Promise<CrashFigures> {
  const folder = options.dir ?? mkdtempSync(join(tmpdir(), 'reprise-crash-test-'))
  mkdirSync(folder, { recursive: true })
  const processes = engineProcesses(options.entry)
  try {
    return await new CrashTest(options, folder, processes, await crashScript()).run()
  } finally {
    processes.close()
    if (options.dir === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

class CrashTest {
  readonly #options: CrashTestOptions
  readonly #folder: string
  readonly #processes: EngineProcesses
  readonly #script: EngineInit['script']
  readonly #chance: Chance
  readonly #figures: CrashFigures
  /** By lanes: how long a whole run took and what it did to the disk, for its making and in all. */
  readonly #whole = new Map<number, { ms: number; making: number; operations: number }>()
  #inMaking = 0
  /** Numbers of the runs that came to their end, as `<project> #<number>`. */
  readonly #numbers = new Set<string>()

  constructor(options: CrashTestOptions, folder: string, processes: EngineProcesses, script: EngineInit['script']) {
    this.#options = options
    this.#folder = folder
    this.#processes = processes
    this.#script = script
    this.#chance = chanceOf(options.seed)
    this.#figures = {
      ...{ kills: 0, acknowledgedLost: 0, rerun: 0, rerunOverLanes: 0, undetected: 0, redone: 0, runs: 0 },
      ...{ tornTails: 0, flippedBits: 0, refusedWrites: 0, unsyncedLost: 0, seed: options.seed, failures: [] },
    }
  }

  async run(): Promise<CrashFigures> {
    for (let turn = 0; this.#goesOn(); turn++) {
      const lanes = this.#options.lanes[turn % this.#options.lanes.length] ?? 1
      await this.#killUntilDone(this.#newRun(lanes))
    }
    return this.#figures
  }

  #goesOn(): boolean {
    const { kills, failures } = this.#figures
    return kills < this.#options.kills && failures.length < FAILURES_KEPT && this.#options.signal?.aborted !== true
  }

  #newRun(lanes: number): RunUnderTest {
    const project = join(this.#folder, `project-${lanes}`)
    mkdirSync(project, { recursive: true })
    const paths = projectPaths(project)
    const requestId = ulid()
    this.#figures.runs += 1
    const run: RunUnderTest = {
      ...{ project, requestId, runId: null, lanes, earlier: new Set(hasRuns(paths) ? runFolders(paths) : []) },
      ledger: new Ledger(() => (run.runId === null ? null : this.#files(run, run.runId).journal), join(this.#folder, `${requestId}.log`)),
    }
    return run
  }

  #files(run: RunUnderTest, runId: RunId) {
    return filesOf(join(projectPaths(run.project).runs, runId))
  }

  /** One run, from its making to its end, with kills between. The first of each kind is left alone, to be measured. */
  async #killUntilDone(run: RunUnderTest): Promise<void> {
    const isMeasured = this.#whole.has(run.lanes)
    for (;;) {
      const isLast = !this.#goesOn() || !isMeasured
      const kill = isLast ? null : this.#nextKill(run)
      const began = performance.now()
      const ended = await this.#processes.run(this.#initOf(run, kill), kill?.afterMs ?? null)
      this.#account(run, ended, kill)
      if (ended.wasKilled) {
        this.#countKill(kill)
        await this.#checkFolder(run)
        await this.#harm(run)
        this.#options.onProgress?.(this.#figures)
        continue
      }
      const last = ended.said.at(-1)
      if (last?.t === 'failed' && kill?.fault.kind === 'refuse' && ['disk-full', 'no-permission'].includes(last.error.code)) {
        this.#figures.refusedWrites += 1
        await this.#checkFolder(run)
        continue
      }
      if (last?.t !== 'done')
        return this.#fail(run, last?.t === 'failed' ? last.error.message : `the process ended without a word. ${ended.complaint}`)
      const making = ended.said.find((message) => message.t === 'run')?.operations ?? 0
      if (!isMeasured) this.#whole.set(run.lanes, { ms: performance.now() - began, making, operations: last.operations })
      return this.#checkEnd(run, last.status)
    }
  }

  /** Every other run dies while it is being made first. */
  #nextKill(run: RunUnderTest): Kill {
    const whole = this.#whole.get(run.lanes) ?? { ms: 0, making: 0, operations: 1 }
    if (run.runId === null && this.#figures.runs % 4 < 2) return killInMaking(this.#inMaking++, whole.making, whole, this.#chance)
    return nextKill(this.#figures.kills, whole, this.#chance)
  }

  #initOf({ project, requestId, lanes }: RunUnderTest, kill: Kill | null): EngineInit {
    return {
      ...{ project, requestId, lanes, steps: stepsFor(lanes), script: this.#script },
      log: join(this.#folder, `${requestId}.log`),
      durability: this.#options.durability ?? 'full',
      fault: kill?.fault ?? { kind: 'none' },
      spill: kill?.spill ?? null,
    }
  }

  #account(run: RunUnderTest, { said }: Ended, kill: Kill | null): void {
    for (const message of said) if (message.t === 'run') run.runId = RunId.parse(message.runId)
    const { lost, paidTwice, rerun, rerunOfOneKill, redone } = run.ledger.close(said)
    const figures = this.#figures
    figures.acknowledgedLost += lost.length + paidTwice.length
    figures.rerun += rerun.length
    figures.redone += redone.length
    if (lost.length > 0) this.#fail(run, `after ${killInWords(kill)} the journal lacks results that were handed out: ${shown(lost)}`)
    if (paidTwice.length > 0)
      this.#fail(run, `before ${killInWords(kill)} calls with a saved result were started again: ${shown(paidTwice)}`)
    if (rerunOfOneKill > run.lanes) {
      figures.rerunOverLanes = Math.max(figures.rerunOverLanes, rerunOfOneKill - run.lanes)
      this.#fail(run, `${rerunOfOneKill} calls were started again after one kill`)
    }
  }

  #countKill(kill: Kill | null): void {
    this.#figures.kills += 1
    if (kill?.fault.kind === 'refuse') this.#figures.refusedWrites += 1
    if (kill?.spill != null) this.#figures.unsyncedLost += 1
  }

  /** A run is there whole or not at all, and once. */
  async #checkFolder(run: RunUnderTest): Promise<void> {
    const paths = projectPaths(run.project)
    if (!hasRuns(paths)) return
    const { runs } = await openStore(run.project).list({ limit: 200 })
    const half = runs.find((row) => row.damaged !== null)
    if (half !== undefined) this.#fail(run, `a kill left a run that can not be opened: ${half.damaged}`)
    const found = runFolders(paths).filter((id) => !run.earlier.has(id))
    if (found.length > 1) this.#fail(run, `one request made ${found.length} runs: ${found.join(', ')}`)
  }

  /** Now and then a torn tail or a flipped bit, on top of the kill. */
  async #harm(run: RunUnderTest): Promise<void> {
    if (run.runId === null) return
    if (this.#chance.next() < 0.4) this.#harmJournal(run, run.runId)
    if (this.#chance.next() < 0.4) await this.#harmBeside(run, run.runId)
  }

  async #harmBeside(run: RunUnderTest, runId: RunId): Promise<void> {
    const harm = await harmBeside(openStore(run.project), this.#files(run, runId), runId, this.#chance)
    if (harm === null) return
    this.#figures[harm.how === 'tear' ? 'tornTails' : 'flippedBits'] += 1
    if (harm.missed !== null) this.#undetected(run, harm.missed)
    run.ledger.harmed()
  }

  #harmJournal(run: RunUnderTest, runId: RunId): void {
    const { journal } = this.#files(run, runId)
    const before = readFileSync(journal)
    const isTear = this.#chance.next() < 0.5
    if (isTear) {
      if (tearTail(journal, this.#chance)) this.#figures.tornTails += 1
    } else {
      flipBit(journal, this.#chance)
      this.#figures.flippedBits += 1
    }
    const missed = unnoticed(before, readFileSync(journal))
    if (missed !== null) this.#undetected(run, missed)
    const gone = run.ledger.harmed()
    // A flipped newline joins two lines; nothing takes more with it than the lines it is in.
    if (gone > (isTear ? 1 : 2)) this.#fail(run, `${isTear ? 'a torn tail' : 'a flipped bit'} took ${gone} results with it`)
  }

  /** The run says it is done: its value has to be the one that an undisturbed run gives, and damage to it has to be noticed. */
  async #checkEnd(run: RunUnderTest, status: string): Promise<void> {
    if (run.runId === null || status !== 'completed') return this.#fail(run, `it ended as ${status}`)
    const { runId } = run
    const store = openStore(run.project)
    const { view, records } = await store.read(runId)
    const value = view.value === null ? null : await store.value(runId, view.value)
    if (value === null || canonicalJson(value) !== canonicalJson(expectedValue(run.lanes, stepsFor(run.lanes))))
      this.#undetected(run, 'it returned another value than an undisturbed run')
    const isFlipped = await withFlippedPayload(this.#files(run, runId).payload, this.#chance, async (sha256) => {
      for (const record of records) {
        if (record.t !== 'result' || record.result.kind !== 'ok' || !('blob' in record.result.output)) continue
        if (record.result.output.blob.sha256 !== sha256) continue
        const answer = await store.value(runId, record.result.output).catch((error: unknown) => AppError.wrap(error))
        if (!(answer instanceof AppError)) this.#undetected(run, 'a harmed stored value was read as if whole')
      }
    })
    if (isFlipped) this.#figures.flippedBits += 1
    await this.#checkFolder(run)
    const number = `${run.project} #${view.number}`
    if (this.#numbers.has(number)) this.#fail(run, `another run of its project has its number ${view.number}`)
    this.#numbers.add(number)
    // A finished run is not needed any more; a kept folder keeps it.
    if (this.#options.dir === undefined) rmSync(this.#files(run, runId).folder, { recursive: true, force: true })
  }

  #undetected(run: RunUnderTest, what: string): void {
    this.#figures.undetected += 1
    this.#fail(run, what)
  }

  #fail(run: RunUnderTest, what: string): void {
    this.#figures.failures.push(`Run ${run.runId ?? '(not made yet)'} with ${run.lanes === 1 ? '1 lane' : `${run.lanes} lanes`}: ${what}`)
  }
}

function shown(prompts: readonly string[]): string {
  return prompts.map((prompt) => prompt.split(',', 2).join(',')).join('; ')
}
