/**
 * Entry of a run's own thread: takes the attempt, runs it with the agents of this machine, and tells what happens. The
 * journal's writer lives here, away from the thread that draws or prints.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import { builtInRunners } from '../agents/runners.ts'
import { Attempt } from '../engine/attempt.ts'
import type { Command, OpenRun } from '../engine/ports.ts'
import { scriptThreads } from '../engine/script-thread.ts'
import { childLoader } from '../service/load-child.ts'
import { currentOwner } from '../store/owner.ts'
import { openStore } from '../store/run-store.ts'
import { TrustStore } from '../store/trust-store.ts'
import type { FromHost, HostInit, ToHost } from './host-messages.ts'
import { LocalExecutor } from './local-executor.ts'
import { systemClock } from './system-clock.ts'

const port = parentPort
if (port === null) throw new Error('This file is the entry of a worker thread.')
const say = (message: FromHost): void => port.postMessage(message)
const init = workerData as HostInit
let stopFirst: ToHost | null = null
const beforeStart = (message: ToHost): void => {
  stopFirst = message
}
port.on('message', beforeStart)

try {
  await host(init)
} catch (error) {
  say({ t: 'failed', error: AppError.wrap(error).toData() })
} finally {
  port.close()
}

async function host({ project, data, input, script, limits, declaredPhases, earlier, skipInFlight }: HostInit): Promise<void> {
  const run = await take()
  say({ t: 'owned' })
  const executor = new LocalExecutor({
    cwd: project,
    slots: limits.concurrency,
    runners: builtInRunners({ project, defaultAgent: input.backend }),
    defaultAgent: input.backend,
    onChild: ({ pid, startTime, call }) => run.child({ pid, startTime, call }),
  })
  const attempt = new Attempt({
    run,
    executor,
    clock: systemClock,
    startScript: scriptThreads(new URL('./script-worker.mjs', import.meta.url)),
    loadChild: childLoader({
      project,
      agent: input.backend,
      trusted: new TrustStore(data),
      kept: (sha256, ext) => openStore(project).source(run.runId, sha256, ext),
    }),
    script,
    input,
    limits,
    declaredPhases,
    earlier,
    skipInFlight,
    onEvents: (events) => say({ t: 'events', events }),
  })
  const over = new AbortController()
  port?.off('message', beforeStart)
  port?.on('message', (message: ToHost) => attempt.stop(message.how))
  if (stopFirst !== null) attempt.stop(stopFirst.how)
  void obey(run, attempt, over.signal)
  attempt.start()
  try {
    say({ t: 'done', view: await attempt.done })
  } finally {
    over.abort()
    await executor.close()
  }
}

async function take(): Promise<OpenRun> {
  const { project, runId, claim, input } = init
  const store = openStore(project)
  if (claim.t === 'first') return store.adopt(runId, claim.token)
  const opened = await store.open(runId, { ...input, owner: currentOwner() })
  if ('heldBy' in opened) {
    throw new AppError(
      'run-busy',
      `This run is already running, in process ${opened.heldBy.pid} on ${opened.heldBy.host}. Follow it with: reprise show ${runId}`,
    )
  }
  return opened
}

/** Commands that other processes left for this run. */
async function obey(run: OpenRun, attempt: Attempt, signal: AbortSignal): Promise<void> {
  for await (const entry of openStore(init.project).inbox.take(run.runId, signal)) {
    const outcome = apply(entry.body, attempt)
    await run.append([{ t: 'command', id: entry.id, outcome }])
    await entry.done()
    if (entry.body.kind === 'stop') attempt.stop('keep')
  }
}

/** What a command does here; a stop is carried out once its outcome is in the journal. */
function apply(command: Command, attempt: Attempt): string {
  switch (command.kind) {
    case 'stop':
      return 'accepted'
    case 'pause':
      attempt.pause()
      return 'accepted'
    case 'skip':
      return attempt.skip(command.call) ? 'accepted' : 'stale'
    case 'retry':
      return attempt.retry(command.call) ? 'accepted' : 'stale'
    case 'decide':
    case 'answer':
      return 'stale'
    default:
      return assertNever(command)
  }
}
