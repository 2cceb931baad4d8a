import { describe, expect, test } from 'vitest'
import { NOW, RUNNING } from '../../../renderer/gallery/fixtures.ts'
import { createRunStore } from '../../../renderer/store/run-store.ts'
import type { RunId } from '../../../shared/ids.ts'
import type { RunEvent } from '../../../shared/run/events.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { testBridge } from '../support/bridge.ts'

const runId = RUNNING.runId as RunId
const log = (seq: number, text = `line ${seq}`): RunEvent => ({
  type: 'log',
  seq,
  at: NOW + seq,
  runId,
  attempt: 2,
  text,
  level: 'info',
  source: 'live',
  line: null,
})
const change = (...events: RunEvent[]) => ({ runId, seq: events.at(-1)?.seq ?? 0, events })

function start(show: () => RunView | 'fails' = () => RUNNING) {
  let asked = 0
  const bridge = testBridge(
    {},
    {
      runs: {
        show: async () => {
          asked += 1
          const view = show()
          return view === 'fails' ? { ok: false, error: { code: 'internal', message: 'no' } } : { ok: true, value: view }
        },
      },
    },
  )
  const store = createRunStore(bridge, () => NOW)
  const opening = store.getState().open(runId)
  return { store, bridge, opening, asked: () => asked }
}

describe('the open run', () => {
  test('goes along with events that follow on', async () => {
    const { store, bridge, opening, asked } = start()
    await opening
    bridge.tellRun(change(log(101), log(102)))
    expect(store.getState().view?.lastSeq).toBe(102)
    expect(store.getState().view?.log.map((line) => line.text)).toEqual(['line 101', 'line 102'])
    expect(asked()).toBe(1)
  })

  test('takes an event twice as once', async () => {
    const { store, bridge, opening } = start()
    await opening
    bridge.tellRun(change(log(101)))
    bridge.tellRun(change(log(101)))
    expect(store.getState().view?.log).toHaveLength(1)
  })

  test('is fetched anew after a gap, so a lost event heals', async () => {
    const healed = { ...RUNNING, lastSeq: 105 }
    const answers = [RUNNING, healed]
    const { store, bridge, opening, asked } = start(() => answers.shift() ?? healed)
    await opening
    bridge.tellRun(change(log(105)))
    await expect.poll(() => store.getState().view?.lastSeq).toBe(105)
    expect(asked()).toBe(2)
  })

  test('is fetched anew when another process wrote and only the number is told', async () => {
    const answers = [RUNNING, { ...RUNNING, lastSeq: 140 }]
    const { store, bridge, opening } = start(() => answers.shift() ?? 'fails')
    await opening
    bridge.tellRun({ runId, seq: 140, events: [] })
    await expect.poll(() => store.getState().view?.lastSeq).toBe(140)
  })

  test('misses nothing that was told while it was being fetched', async () => {
    const { store, bridge, opening } = start()
    bridge.tellRun(change(log(101)))
    expect(store.getState().view).toBeNull()
    await opening
    expect(store.getState().view?.lastSeq).toBe(101)
  })

  test('asks once more, not forever, when the answer is older than the news', async () => {
    const answers = [RUNNING, RUNNING, { ...RUNNING, lastSeq: 103 }]
    const { store, bridge, opening, asked } = start(() => answers.shift() ?? 'fails')
    await opening
    bridge.tellRun(change(log(103)))
    await expect.poll(() => store.getState().view?.lastSeq).toBe(100)
    bridge.tellRun(change(log(104)))
    await expect.poll(() => store.getState().view?.lastSeq).toBe(104)
    expect(asked()).toBe(3)
  })

  test('stands still, and says since when, while it can not be read; one answer ends that', async () => {
    const answers: (RunView | 'fails')[] = [RUNNING, 'fails', RUNNING]
    const { store, opening } = start(() => answers.shift() ?? 'fails')
    await opening
    await store.getState().refetch()
    expect(store.getState().staleSince).toBe(NOW)
    expect(store.getState().view).toBe(RUNNING)
    await store.getState().refetch()
    expect(store.getState().staleSince).toBeNull()
  })

  test('says why it can not be shown at all', async () => {
    const { store, opening } = start(() => 'fails')
    await opening
    expect(store.getState().error?.message).toBe('no')
  })

  test('is left: what comes later changes nothing', async () => {
    const { store, bridge, opening } = start()
    await opening
    store.getState().close()
    bridge.tellRun(change(log(101)))
    expect(store.getState().view).toBeNull()
  })
})

test('details of a call that ended meanwhile are asked for again', async () => {
  const { store, bridge, opening } = start()
  await opening
  const call = RUNNING.calls.find((one) => one.status === 'running')
  if (call === undefined) throw new Error('the fixture has a running call')
  await store.getState().loadDetail(call.callId)
  expect(store.getState().details[call.callId]).toBeDefined()
  bridge.tellRun(
    change({
      type: 'call.ended',
      seq: 101,
      at: NOW + 5,
      runId,
      attempt: 2,
      callId: call.callId,
      outcome: 'ok',
      source: 'live',
      reason: null,
      detail: null,
      ms: 40_000,
      usage: { inputTokens: 1, outputTokens: 1 },
      cost: null,
      tries: 1,
      summary: 'done',
      backend: 'claude',
      fromAttempt: null,
    }),
  )
  expect(store.getState().details[call.callId]).toBeUndefined()
})
