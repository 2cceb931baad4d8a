import { expect, test } from 'vitest'
import type { Json } from '../../shared/json.ts'
import { temporaryFolder } from '../agents/process-fixture.ts'
import { runExample } from './run-example.ts'

const file = 'examples/review.workflow.js'

async function review(more: { args?: Json; remaining?: number } = {}) {
  const run = await runExample(file, { cwd: temporaryFolder(), agent: 'simulated', ...more })
  return { ...run, value: run.value as { [key: string]: Json } }
}

test('simulated, every area is read, every problem gets three votes, and a whole report comes back', async () => {
  const { value, calls, logs } = await review()
  expect(calls.filter((label) => label.startsWith('find: '))).toHaveLength(4)
  for (const judge of ['reproduce', 'refute', 'weigh']) expect(calls.filter((label) => label.startsWith(`${judge}: `))).toHaveLength(4)
  expect(calls).toHaveLength(17)
  expect(value.summary).toBe('4 of 4 problems confirmed in 4 areas')
  expect(value.report).toMatch(/^\[simulated] Write a short review/)
  expect(value).toMatchObject({ rejected: [], unverified: [] })
  expect((value.confirmed as Json[])[0]).toMatchObject({
    area: 'error handling',
    severity: 'high',
    votes: [{ verdict: 'confirmed' }, {}, {}],
  })
  expect(logs).toEqual(['4 of 4 problems confirmed'])
})

/** The area is part of the prompt, so markers in it script what the finder answers. */
function finding(title: string): string {
  return `[[json:${JSON.stringify({ problems: [{ title, file: 'a.ts', severity: 'low', why: 'w' }] })}]]`
}
const says = (verdict: string) => JSON.stringify({ verdict, reason: 'r' })

test('two of three judges decide; one that died has no vote', async () => {
  const everyJudge = (marker: string) => finding(marker)
  const areas = [everyJudge(`[[json:${says('refuted')}]]`), everyJudge('[[die:refused]]'), everyJudge(`[[json:${says('confirmed')}]]`)]
  const { value } = await review({ args: { areas } })
  expect(value.summary).toBe('1 of 3 problems confirmed in 3 areas')
  expect((value.rejected as { votes: Json[] }[]).map((problem) => problem.votes)).toEqual([
    [1, 2, 3].map(() => ({ verdict: 'refuted', reason: 'r' })),
    [null, null, null],
  ])
})

test('an area whose agent died is named, and the rest goes on', async () => {
  const { value, logs } = await review({ args: { areas: ['[[die:refused]] tests', 'docs'] } })
  expect(value.summary).toBe('1 of 1 problems confirmed in 2 areas')
  expect(logs[0]).toBe('Nothing came back for [[die:refused]] tests')
})

test('when the budget nears its end, problems are reported as unverified instead of being judged', async () => {
  const { value, calls } = await review({ remaining: 100 })
  expect(calls).toHaveLength(4)
  expect(value.unverified).toHaveLength(4)
  expect(value.report).toBe('No problem was confirmed.')
})
