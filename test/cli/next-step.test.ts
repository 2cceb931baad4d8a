import { expect, test } from 'vitest'
import { nextStep } from '../../main/cli/next-step.ts'
import type { RunView } from '../../shared/run/view.ts'
import { COUNTS, ended, queued, runEnded, started, stream, viewOf } from './fake-service.ts'

const context = { hint: (words: readonly string[]) => ['reprise', ...words].join(' ') }
const died = viewOf(
  stream([started, queued(1, 'a'), ended(1, { outcome: 'dead', reason: 'stalled' }), runEnded({ counts: { ...COUNTS, dead: 1 } })]),
)

test('a completed run with failed calls can be tried again', () => {
  expect(nextStep(died, context)?.command).toBe(`reprise resume ${died.runId}`)
})

test('nobody is told to go on with a run whose secrets were taken out: it never does', () => {
  const redacted: RunView = { ...died, allowedActions: ['delete'] }
  expect(nextStep(redacted, context)).toBeNull()
  expect(nextStep({ ...redacted, status: 'paused', reason: 'budget' }, context)).toBeNull()
  expect(nextStep({ ...redacted, status: 'interrupted' }, context)).toBeNull()
})

test('what an agent asks comes before everything else', () => {
  const asking = viewOf(
    stream([
      started,
      queued(1, 'edit'),
      { type: 'call.started', callId: 1, generation: 1, worker: 'local' },
      { type: 'permission.asked', callId: 1, question: 'q1', tool: 'Write', title: 'Write notes.txt' },
    ]),
  )
  expect(nextStep(asking, context)).toEqual({ label: 'Answer with allow or deny', command: `reprise answer ${asking.runId} 1 allow` })
})
