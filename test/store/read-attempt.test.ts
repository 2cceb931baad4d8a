import { expect, test } from 'vitest'
import type { RunEvent } from '../../shared/run/events.ts'
import {
  attempt,
  call,
  completed,
  deadOwner,
  opened,
  queuedEvent,
  result,
  started,
  startedEvent,
  startedRun,
  viewFrom,
} from './run-fixtures.ts'

/** Attempt 1 was cut off with one of two calls done; attempt 2 came to its end. */
async function resumedRun() {
  const { store, runId, run, project } = await startedRun(deadOwner())
  const first: RunEvent[] = [startedEvent(runId), queuedEvent(runId, 2, 1, 'Review'), queuedEvent(runId, 3, 2, 'Review')]
  run.publish(first, viewFrom(first))
  await run.append([call(1), call(2), started(1), started(2), result(1)])
  const second = opened(await store.open(runId, attempt()))
  const again: RunEvent = { ...startedEvent(runId, 4, 2) }
  second.publish([again], viewFrom([...first, again]))
  await second.append([started(2, 2), result(2, 'answer 2', 2), call(3), started(3, 2), result(3, 'answer 3', 2), completed(2)])
  return { store, runId, project }
}

test('an earlier attempt is shown as it ended, and nothing can be done to it', async () => {
  const { store, runId } = await resumedRun()
  const view = await store.readAttempt(runId, 1)
  expect([view.attempt, view.status, view.allowedActions]).toEqual([1, 'interrupted', []])
  expect(view.calls.map((one) => [one.callId, one.status])).toEqual([
    [1, 'ok'],
    [2, 'cut-off'],
  ])
  expect(view.attempts.map((one) => [one.attempt, one.status])).toEqual([
    [1, 'interrupted'],
    [2, 'completed'],
  ])
})

test('the newest attempt is the run itself', async () => {
  const { store, runId } = await resumedRun()
  expect(await store.readAttempt(runId, 2)).toEqual((await store.read(runId)).view)
})

test('an attempt that there never was is refused by its number', async () => {
  const { store, runId } = await resumedRun()
  await expect(store.readAttempt(runId, 3)).rejects.toMatchObject({ code: 'attempt-unknown', message: expect.stringContaining('3') })
})
