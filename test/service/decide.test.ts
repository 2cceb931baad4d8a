import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decide } from '../../main/service/decide.ts'
import { callDetail } from '../../main/service/lookup.ts'
import { sha256Of } from '../../main/store/payload.ts'
import { openStore } from '../../main/store/run-store.ts'
import { COUNTS, deadOwner, startedRun } from '../store/run-fixtures.ts'

/** A run that its owner left at a gate which shows a file of the project. */
async function atGate(text: string) {
  const { project, runId, run } = await startedRun(deadOwner())
  writeFileSync(join(project, 'plan.md'), text)
  const params = { question: 'Is it good?', options: ['approve', 'changes'], show: { path: 'plan.md' } }
  await run.append([
    { t: 'call', call: 1, kind: 'gate', fp: 'f', label: 'plan', phase: null, params },
    {
      t: 'started',
      call: 1,
      attempt: 1,
      generation: 1,
      worker: 'person',
      shown: { path: 'plan.md', sha256: sha256Of(text), text: { inline: text } },
    },
    { t: 'end', attempt: 1, end: { status: 'waiting', reason: 'gate' }, counts: COUNTS },
  ])
  return { project, runId }
}

test('a choice made for another text than the file holds now is refused, and one for the new text counts', async () => {
  const { project, runId } = await atGate('old plan')
  const choice = { choice: 'approve', by: 'you' }
  writeFileSync(join(project, 'plan.md'), 'new plan')
  await expect(decide(project, runId, 1, { ...choice, seen: sha256Of('old plan') })).rejects.toMatchObject({
    code: 'gate-stale',
    message: 'plan.md changed after you opened it. Your choice was not applied.',
  })
  const open = await callDetail(project, runId, 1)
  expect([open.result, open.shown?.text, open.shownNow]).toEqual([null, 'old plan', { sha256: sha256Of('new plan'), text: 'new plan' }])
  expect(await decide(project, runId, 1, { ...choice, seen: sha256Of('new plan') })).toBe('saved')
  const { records } = await openStore(project).read(runId)
  expect(records.filter((record) => record.t === 'result')).toHaveLength(1)
})

test('a choice for the text as it was shown, or by somebody who was shown nothing, counts', async () => {
  for (const seen of [{ seen: sha256Of('plan') }, {}]) {
    const { project, runId } = await atGate('plan')
    expect(await decide(project, runId, 1, { choice: 'changes', by: 'you', ...seen })).toBe('saved')
  }
})
