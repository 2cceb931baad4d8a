/** Waits until nobody works on a run any more, or a person has to settle something, whoever owns it, and tells of its calls on the way. */
import { setTimeout as pause } from 'node:timers/promises'
import type { RunId } from '../../shared/ids.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import { reduce } from '../../shared/run/reduce.ts'
import type { RunView } from '../../shared/run/view.ts'
import { settled } from '../cli/progress/counts.ts'
import { plural } from '../cli/text/amounts.ts'
import { oneLine } from '../cli/text/printable.ts'
import { isOver } from './run-report.ts'
import type { ServerContext } from './server-context.ts'
import { needsPerson } from './waits-for-you.ts'

/** How often a run of another process is looked at. */
const LOOK_MS = 500

export interface Step {
  /** Finished calls, and all asked for so far. */
  done: number
  asked: number
  message: string
}

export interface Waiting {
  timeoutMs: number
  /** Wait on although a person has to settle something. */
  toTheEnd: boolean
  signal: AbortSignal
  /** Called with a step whenever more calls are done. */
  tell(step: Step): void
}

/** The view at the end, or after the time given; whichever comes first. */
export async function waitForEnd(context: ServerContext, runId: RunId, waiting: Waiting): Promise<RunView> {
  const own = context.own.get(runId)
  if (own === undefined) return lookUntilEnd(context, runId, waiting)
  const steps = new Steps(waiting.tell)
  let stop: (view: null) => void = () => undefined
  const asked = new Promise<null>((resolve) => {
    stop = resolve
  })
  let view: RunView | null = null
  let isCaughtUp = false
  const look = (): void => {
    if (isCaughtUp && !waiting.toTheEnd && view !== null && needsPerson(view)) stop(null)
  }
  const unsubscribe = own.onEvent((event) => {
    steps.fold(event)
    view = reduce(view, event)
    look()
  })
  isCaughtUp = true // what was open once may be settled
  look()
  const timer = new AbortController()
  try {
    const signal = AbortSignal.any([timer.signal, waiting.signal])
    const end = await Promise.race([own.done, timeUp(waiting.timeoutMs, signal), asked])
    return end ?? (await context.service.show(context.project, runId))
  } finally {
    unsubscribe()
    steps.end()
    timer.abort()
  }
}

async function timeUp(ms: number, signal: AbortSignal): Promise<null> {
  return pause(ms, null, { signal }).catch(() => null)
}

async function lookUntilEnd(
  { service, project }: ServerContext,
  runId: RunId,
  { timeoutMs, toTheEnd, signal, tell }: Waiting,
): Promise<RunView> {
  const until = Date.now() + timeoutMs
  for (let told = -1; ; ) {
    const view = await service.show(project, runId)
    const done = settled(view.counts)
    if (done > told) tell(step(done, view.calls.length, view.currentPhase))
    told = Math.max(told, done)
    const left = until - Date.now()
    if (isOver(view) || (!toTheEnd && needsPerson(view)) || left <= 0 || signal.aborted) return view
    await timeUp(Math.min(LOOK_MS, left), signal)
  }
}

/** Counts as the events come; what a burst brings is told once, and the last of it before the answer. */
class Steps {
  readonly #tell: Waiting['tell']
  #done = 0
  #asked = 0
  #told = -1
  #phase: string | null = null
  #due: NodeJS.Immediate | null = null

  constructor(tell: Waiting['tell']) {
    this.#tell = tell
  }

  fold(event: RunEvent): void {
    if (event.type === 'phase.started') this.#phase = event.phase
    if (event.type === 'call.queued') this.#asked += 1
    if (event.type === 'call.ended') this.#done += 1
    if (this.#done > this.#told) this.#due ??= setImmediate(() => this.end())
  }

  /** Tells what has not been told. */
  end(): void {
    if (this.#due !== null) clearImmediate(this.#due)
    this.#due = null
    if (this.#done <= this.#told) return
    this.#told = this.#done
    this.#tell(step(this.#done, this.#asked, this.#phase))
  }
}

function step(done: number, asked: number, phase: string | null): Step {
  const message = [phase === null ? '' : oneLine(phase), `${done} of ${plural(asked, 'call')} done`]
    .filter((part) => part !== '')
    .join(' · ')
  return { done, asked, message }
}
