import { expect, test } from 'vitest'
import { endSentence, liveSentence, lostWords, quitQuestion } from '../../main/run-words.ts'
import type { NO_COUNTS } from '../../shared/run/reduce.ts'
import { RUN_STATUSES, type RunView } from '../../shared/run/view.ts'
import { FakeRun } from './fake-run.ts'

function ended(status: string, counts: Partial<typeof NO_COUNTS> = {}, title = 'triage', number = 47): RunView {
  const run = new FakeRun('A', number)
  run.start(title)
  run.end(status, counts)
  if (run.view === null) throw new Error('a started run has a view')
  return run.view
}

test('an end says what it cost and what is safe', () => {
  expect(endSentence(ended('completed', { ok: 20, replayed: 14, live: 6 }))).toBe('Completed · 14 replayed, 6 live')
  expect(endSentence(ended('completed', { ok: 7, dead: 15, live: 22 }))).toBe('Completed, but 15 of 22 calls died.')
  expect(endSentence({ ...ended('paused', { ok: 12 }), reason: 'quota' })).toBe('Paused: usage limit reached. 12 results saved.')
  expect(endSentence({ ...ended('failed', { ok: 1 }), error: { code: 'script-error', message: 'Line 3: no.' } })).toBe(
    'Failed: Line 3: no. 1 result saved.',
  )
})

test('every state of a run has a sentence', () => {
  for (const status of RUN_STATUSES) expect(endSentence({ ...ended('completed'), status })).toMatch(/^[A-Z]/)
})

test('the question before quitting names the run and what is kept', () => {
  expect(quitQuestion([ended('killed', { ok: 12 })])).toBe('triage #47 is running. Quit and keep its 12 results?')
  expect(quitQuestion([ended('killed', { ok: 1 })])).toBe('triage #47 is running. Quit and keep its 1 result?')
  expect(quitQuestion([ended('killed')])).toBe('triage #47 is running. Quit?')
  expect(quitQuestion([ended('killed', { ok: 2 }), ended('killed', { skipped: 1 })])).toBe(
    '2 runs are running. Quit and keep their 3 results?',
  )
  expect(quitQuestion([])).toBe('A run is starting. Quit?')
})

test('a running run is one line in the tray', () => {
  expect(liveSentence({ ...ended('completed', { ok: 0 }), currentPhase: 'Review' })).toBe('triage #47 · Review · 0 of 0 calls')
})

test('an engine that was started anew is told of with what it cost and what to do', () => {
  expect(lostWords({ message: 'out of memory' }, 0).detail).toBe('No run was at work. What went wrong: out of memory')
  expect(lostWords({ message: 'x' }, 1).detail).toMatch(/^One run was stopped by that\. Its finished results are saved: resume to go on\./)
  expect(lostWords({ message: 'x' }, 3).detail).toMatch(/^3 runs were stopped by that\. Their finished results/)
})
