/**
 * Hosts one run: takes the attempt, runs it with the agents of this machine, and tells what happens. The journal's writer
 * lives here. In the app that is a thread of its own, away from what draws; in the command line it is the only thread.
 */
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import { agentRunners } from '../agents/runners.ts'
import { readSecrets, type SecretValues } from '../agents/secret-file.ts'
import { Attempt } from '../engine/attempt.ts'
import type { OpenRun } from '../engine/ports.ts'
import { scriptThreads, WarmThread } from '../engine/script-thread.ts'
import { DaySpending } from '../store/day-spending.ts'
import { currentOwner } from '../store/owner.ts'
import { openStore } from '../store/run-store.ts'
import { TrustStore } from '../store/trust-store.ts'
import type { FromHost, HostInit, ToHost } from './host-messages.ts'
import { LocalExecutor } from './local-executor.ts'
import { obey } from './obey.ts'
import { Places } from './places.ts'
import { playPerson, rehearsalRun } from './rehearsal.ts'
import { readShownFile } from './shown-file.ts'
import { systemClock } from './system-clock.ts'

const SCRIPT_ENTRY = new URL('./script-worker.mjs', import.meta.url)
/** People see events a moment later, and a fan-out of quick calls writes and folds them a hundred times a second at most. */
const BURST_MS = 10

type Wish = Exclude<ToHost, { t: 'init' | 'leave' }>

/** How the host is heard, and hears. */
interface Line {
  say(message: FromHost): void
  heed(wish: Wish): void
  /** What comes while the run is still being taken. */
  toldFirst: Wish | null
}

/**
 * A host for one run.
 * @param onEnd nothing more will happen
 * @returns what takes the messages to it
 */
export function makeHost(say: (message: FromHost) => void, onEnd: () => void): (message: ToHost) => void {
  // Getting ready takes a script's thread longer than the store needs to make a run.
  const warm = new WarmThread(SCRIPT_ENTRY)
  const line: Line = {
    say,
    toldFirst: null,
    heed(wish) {
      line.toldFirst = wish
    },
  }
  return (message) => {
    switch (message.t) {
      case 'init':
        return void run(message.init, message.secrets, line, warm).finally(() => {
          warm.close()
          onEnd()
        })
      case 'leave':
        warm.close()
        return onEnd()
      case 'stop':
      case 'pause':
        return line.heed(message)
      default:
        return assertNever(message)
    }
  }
}

async function run(init: HostInit, secrets: SecretValues, line: Line, warm: WarmThread): Promise<void> {
  try {
    await host(init, secrets, line, warm)
  } catch (error) {
    line.say({ t: 'failed', error: AppError.wrap(error).toData() })
  }
}

async function host(init: HostInit, secrets: SecretValues, line: Line, warm: WarmThread): Promise<void> {
  const { say } = line
  const { project, data, input, script, limits, declaredPhases, earlier, skipInFlight, continueSessions, whenWaiting } = init
  const run = await take(init)
  /** Most runs call no workflow: what reads and checks one is loaded when the first is called. */
  const loader = once(async () => {
    const { childLoader } = await import('../service/load-child.ts')
    const kept = (sha256: string, ext: string): Promise<string> => openStore(project).source(run.runId, sha256, ext)
    return childLoader({ project, agent: input.backend, trusted: new TrustStore(data), kept })
  })
  say({ t: 'owned' })
  const places = new Places(project, run.info)
  const runners = agentRunners({
    project,
    data,
    defaultAgent: input.backend,
    isTrusted: (sha256) => new TrustStore(data).isTrusted(sha256),
    ...(input.choices !== undefined && { choices: input.choices }),
  })
  // Which agent does how many calls at once is known before the first one starts.
  if (input.backend !== 'simulated') await runners.load()
  const executor = new LocalExecutor({
    cwd: project,
    places,
    slots: limits.concurrency,
    stallMs: limits.stallMs,
    runners,
    defaultAgent: input.backend,
    onChild: ({ pid, startTime, call }) => run.child({ pid, startTime, call }),
    spending: new DaySpending(data),
    onTold: ({ call, ...line }) => run.transcript(call, line),
    secrets: { env: async (profile) => ({ ...(await readSecrets(data))[profile], ...secrets[profile] }) },
  })
  const play = init.claim.t === 'rehearsal' ? playPerson(() => attempt) : null
  const attempt: Attempt = new Attempt({
    run,
    executor,
    clock: systemClock,
    startScript: scriptThreads(SCRIPT_ENTRY, undefined, warm),
    loadChild: async (reference, kept) => (await loader())(reference, kept),
    script,
    input,
    limits,
    declaredPhases,
    earlier,
    skipInFlight,
    continueSessions,
    whenWaiting,
    readFile: async (path) => readShownFile(await places.folder(), path),
    burstMs: BURST_MS,
    onEvents: (events) => {
      say({ t: 'events', events })
      play?.(events)
    },
  })
  const over = new AbortController()
  line.heed = (wish) => (wish.t === 'stop' ? attempt.stop(wish.how) : attempt.pause())
  if (line.toldFirst !== null) line.heed(line.toldFirst)
  if (play === null) void obey(openStore(project).inbox, run.runId, attempt, over.signal)
  attempt.start()
  // Whoever hears that the run is done may end this process: until then no agent's process is left.
  const view = await attempt.done.finally(async () => {
    over.abort()
    await executor.close()
  })
  await places.close()
  say({ t: 'done', view })
}

async function take({ project, runId, claim, input }: HostInit): Promise<OpenRun> {
  if (claim.t === 'rehearsal') return rehearsalRun(claim.info)
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

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make()
    return made
  }
}
