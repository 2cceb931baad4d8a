/**
 * Entry of the process that the crash test kills: the whole engine with the simulated agent, on a disk that may fail. Takes
 * one run as far as it gets, and says what it hands to the script before it does.
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { ulid } from 'ulid'
import { AppError } from '../../shared/errors.ts'
import { RequestId, RunId } from '../../shared/ids.ts'
import { VERSION } from '../../shared/version.ts'
import { agentRunners } from '../agents/runners.ts'
import { Attempt } from '../engine/attempt.ts'
import type { Clock, NewRun, OpenRun } from '../engine/ports.ts'
import { type StartScript, scriptThreads } from '../engine/script-thread.ts'
import { LocalExecutor } from '../host/local-executor.ts'
import { systemClock } from '../host/system-clock.ts'
import { nodeDisk } from '../store/disk.ts'
import { currentOwner } from '../store/owner.ts'
import { type LocalRunStore, openStore } from '../store/run-store.ts'
import type { EngineInit, FromEngine } from './engine-messages.ts'
import { FaultyDisk } from './faulty-disk.ts'
import { LossyDisk } from './lossy-disk.ts'

/** A held write is tried again after two seconds in earnest; nobody waits for that here. */
const LONGEST_WAIT_MS = 20
const hastyClock: Clock = { ...systemClock, after: (ms, signal) => systemClock.after(Math.min(ms, LONGEST_WAIT_MS), signal) }

/** Written at once and whole: what stands here was said before whatever comes next. */
function say(message: FromEngine): void {
  writeSync(1, `${JSON.stringify(message)}\n`)
}

function acknowledging(start: StartScript): StartScript {
  return (init, on) => {
    const thread = start(init, on)
    return {
      post(message) {
        if (message.t === 'result') say({ t: 'delivered', call: message.call })
        thread.post(message)
      },
      terminate: () => thread.terminate(),
    }
  }
}

function newRun({ project, script, lanes, steps }: EngineInit): NewRun {
  return {
    runId: RunId.parse(ulid()),
    title: 'crash test',
    source: { kind: 'file', path: `${project}/crash-test.mjs`, name: null, sha256: script.sha256, ext: 'mjs' },
    args: { lanes, steps },
    project,
    workspace: 'current',
    git: null,
    limits: { concurrency: lanes, maxAgents: 10_000, budget: null, maxCost: null, stallMs: null },
    seed: 'crash test',
    engine: VERSION,
    backend: 'simulated',
    policy: 'content',
    text: script.text,
  }
}

const inputOf = ({ script, lanes, steps }: EngineInit) => ({
  script: { sha256: script.sha256, text: script.text, ext: 'mjs' as const },
  args: { lanes, steps },
  engine: VERSION,
  policy: 'content' as const,
  backend: 'simulated',
})

async function take(store: LocalRunStore, init: EngineInit, disk: FaultyDisk): Promise<OpenRun> {
  const made = await store.create(newRun(init), RequestId.parse(init.requestId), currentOwner())
  say({ t: 'run', runId: made.runId, operations: disk.operations })
  if (!made.existed) return store.adopt(made.runId, made.token)
  const opened = await store.open(made.runId, { ...inputOf(init), owner: currentOwner() })
  if ('heldBy' in opened) throw new AppError('run-busy', `Process ${opened.heldBy.pid} still works on the run of a process that is gone.`)
  return opened
}

async function work(init: EngineInit): Promise<void> {
  process.env['REPRISE_SIM_LOG'] = init.log
  const lossy = init.spill === null ? null : new LossyDisk(nodeDisk)
  const disk = new FaultyDisk(lossy ?? nodeDisk, init.fault, () => {
    lossy?.spill(init.spill ?? 0)
    process.kill(process.pid, 'SIGKILL')
  })
  const store = openStore(init.project, { disk, durability: init.durability })
  const run = await take(store, init, disk)
  const executor = new LocalExecutor({
    cwd: init.project,
    slots: init.lanes,
    runners: agentRunners({ project: init.project, data: init.project, defaultAgent: 'simulated' }),
    defaultAgent: 'simulated',
  })
  const attempt = new Attempt({
    run,
    executor,
    clock: hastyClock,
    startScript: acknowledging(scriptThreads(new URL('./script-worker.mjs', import.meta.url))),
    script: init.script.prepared,
    input: inputOf(init),
    limits: run.info.limits,
    declaredPhases: [],
    earlier: run.attempt === 1 ? null : (await store.read(run.runId)).view,
    skipInFlight: [],
    // The script of the test calls no other, and shows no file.
    loadChild: async () => {
      throw new AppError('workflow-unknown', 'The crash test has one script.')
    },
    readFile: async (path) => ({ refused: `${path} is no file of the crash test` }),
    whenWaiting: 'stay',
    onEvents: () => undefined,
  })
  attempt.start()
  const { status } = await attempt.done
  say({ t: 'done', status, operations: disk.operations })
}

const lines = createInterface({ input: process.stdin })
// Whoever started us is gone, or needs us no longer.
lines.once('close', () => process.exit(0))
lines.once('line', (line) => {
  const init: EngineInit = JSON.parse(line)
  work(init)
    .catch((error: unknown) => say({ t: 'failed', error: AppError.wrap(error).toData() }))
    .finally(() => process.exit(0))
})
