/**
 * Says aloud what changed in the open run: batched, at most once in five seconds; at once when somebody is waited for, when
 * the run failed or when updates stopped.
 */
import { useEffect } from 'react'
import { runState } from '../../../shared/run/status.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { useStores } from '../../store/stores.ts'
import { banner } from '../../words/run-words.ts'

const QUIET_MS = 5000

export interface Saying {
  polite: string[]
  assertive: string[]
}

/** What is worth saying between two states of the same run. */
export function changesToSay(before: RunView, after: RunView, now: number): Saying {
  const saying: Saying = { polite: [], assertive: [] }
  if (before.runId !== after.runId) return saying
  const ended = new Map<string, number>()
  // An unchanged call is the same object, and says nothing.
  const byId = new Map(before.calls.map((call) => [call.callId, call]))
  for (const call of after.calls) {
    const old = byId.get(call.callId)
    if (old === call) continue
    if (call.status === 'waiting' && old?.status !== 'waiting') saying.assertive.push(`${call.label ?? call.title} waits for you`)
    if (call.endedAt !== null && old !== undefined && old.endedAt === null)
      ended.set(call.phase ?? 'the run', (ended.get(call.phase ?? 'the run') ?? 0) + 1)
  }
  for (const [phase, n] of ended) saying.polite.push(`${n === 1 ? '1 call' : `${n} calls`} finished in ${phase}`)
  if (after.currentPhase !== null && after.currentPhase !== before.currentPhase) saying.polite.push(`${after.currentPhase} started`)
  if (after.status !== before.status) {
    const words = banner(after, now)?.title ?? runState(after).word
    if (after.status === 'failed' || after.status === 'waiting') saying.assertive.push(words)
    else saying.polite.push(words)
  }
  return saying
}

export function useAnnouncements(): void {
  const { run, window: frame, clock } = useStores()
  useEffect(() => {
    let saidUpTo = run.getState().view
    let timer: ReturnType<typeof setTimeout> | null = null
    let quietUntil = 0
    const speak = () => {
      timer = null
      const { view } = run.getState()
      if (view === null) return
      if (saidUpTo !== null) {
        const { polite } = changesToSay(saidUpTo, view, clock())
        if (polite.length > 0) {
          frame.getState().say(polite.join(', '))
          quietUntil = Date.now() + QUIET_MS
        }
      }
      saidUpTo = view
    }
    const unsubscribe = run.subscribe((state, before) => {
      if (state.view !== null && before.view !== null && state.view !== before.view) {
        const { assertive } = changesToSay(before.view, state.view, clock())
        if (assertive.length > 0) frame.getState().say(assertive.join(', '), 'assertive')
        timer ??= setTimeout(speak, Math.max(0, quietUntil - Date.now()))
      } else if (state.view !== null && before.view === null) saidUpTo = state.view
      if (state.staleSince !== null && before.staleSince === null)
        frame.getState().say('Updates stopped. Actions are off until they return.', 'assertive')
      if (state.staleSince === null && before.staleSince !== null && state.view !== null) frame.getState().say('Updates are back.')
    })
    return () => {
      unsubscribe()
      if (timer !== null) clearTimeout(timer)
    }
  }, [run, frame, clock])
}
