/** Waits until nobody works on a run any more, whoever owns it, and tells of its calls on the way. */
import { setTimeout as pause } from 'node:timers/promises'
import type { RunId } from '../../shared/ids.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import type { RunView } from '../../shared/run/view.ts'
import { settled } from '../cli/progress/counts.ts'
import { plural } from '../cli/text/amounts.ts'
import { oneLine } from '../cli/text/printable.ts'
import type { LiveRun } from '../service/service.ts'
import { isOver } from './run-report.ts'
import type { ServerContext } from './server-context.ts'

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
  signal: AbortSignal
  /** Called with a step whenever more calls are done. */
  tell(step: Step): void
}

/** The view at the end, or after the time given; whichever comes first. */
export async function waitForEnd(context: ServerContext, runId: RunId, waiting: Waiting): Promise<RunView> {
  const own = context.own.get(runId)
  if (own === undefined) return lookUntilEnd(context, runId, waiting)
  const unsubscribe = own.onEvent(teller(waiting.tell))
  const timer = new AbortController()
  try {
    const signal = AbortSignal.any([timer.signal, waiting.signal])
    const view = await Promise.race([own.done, timeUp(waiting.timeoutMs, signal)])
    return view ?? (await context.service.show(context.project, runId))
  } finally {
    unsubscribe()
    timer.abort()
  }
}

async function timeUp(ms: number, signal: AbortSignal): Promise<null> {
  return pause(ms, null, { signal }).catch(() => null)
}

async function lookUntilEnd({ service, project }: ServerContext, runId: RunId, { timeoutMs, signal, tell }: Waiting): Promise<RunView> {
  const until = Date.now() + timeoutMs
  for (let told = -1; ; ) {
    const view = await service.show(project, runId)
    const done = settled(view.counts)
    if (done > told) tell(step(done, view.calls.length, view.currentPhase))
    told = Math.max(told, done)
    const left = until - Date.now()
    if (isOver(view) || left <= 0 || signal.aborted) return view
    await timeUp(Math.min(LOOK_MS, left), signal)
  }
}

/** Counts as the events come; what a burst brings is told once. */
function teller(tell: (step: Step) => void): Parameters<LiveRun['onEvent']>[0] {
  let [done, asked, told] = [0, 0, -1]
  let phase: string | null = null
  let isDue = false
  return (event: RunEvent) => {
    if (event.type === 'phase.started') phase = event.phase
    if (event.type === 'call.queued') asked += 1
    if (event.type === 'call.ended') done += 1
    if (isDue || done <= told) return
    isDue = true
    setImmediate(() => {
      isDue = false
      told = done
      tell(step(done, asked, phase))
    })
  }
}

function step(done: number, asked: number, phase: string | null): Step {
  const message = [phase === null ? '' : oneLine(phase), `${done} of ${plural(asked, 'call')} done`]
    .filter((part) => part !== '')
    .join(' · ')
  return { done, asked, message }
}
