import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { sha256Of } from '../../main/store/payload.ts'
import { openStore } from '../../main/store/run-store.ts'
import { bundled, claimant } from '../store/other-process.ts'
import { deadOwner, newRequestId, newRun, tempFolder } from '../store/run-fixtures.ts'

const ROUNDS = 50
const TEXT = 'return await agent("say hello [[delay:60]]")\n'

test(`R11: ${ROUNDS} times two processes resume one run at once: no attempt has two owners and no agent starts twice`, {
  timeout: 300_000,
}, async () => {
  const project = tempFolder()
  const log = join(project, 'agents.log')
  writeFileSync(log, '')
  writeFileSync(join(project, 'review.ts'), TEXT)
  const script = await bundled(join(import.meta.dirname, 'resumer.ts'))
  const args = [`${resolve('out/cli')}/`, tempFolder()]
  const processes = [1, 2].map(() => claimant(script, args, { REPRISE_SIM_LOG: log }))
  const store = openStore(project)
  const run = newRun(project)
  let refused = 0
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      const mine = { ...run, ...newRun(project), text: TEXT, source: { ...run.source, sha256: sha256Of(TEXT) } }
      const { runId } = await store.create(mine, newRequestId(), deadOwner())
      const told = await Promise.all(processes.map((one) => one.claim(project, runId)))
      const won = told.filter((answer) => answer.startsWith('won'))
      // Who comes when the other has ended already resumes a complete run, which starts nothing.
      expect(
        won.every((answer) => answer.endsWith(' completed')),
        told.join(),
      ).toBe(true)
      expect(new Set(won).size, told.join()).toBe(won.length)
      expect(won).toContain('won 2 completed')
      expect(
        told.filter((answer) => !answer.startsWith('won')).every((answer) => answer === 'run-busy'),
        told.join(),
      ).toBe(true)
      expect(readFileSync(log, 'utf8').split('\n').length - 1, `round ${round}: ${told.join()}`).toBe(round)
      refused += told.length - won.length
    }
  } finally {
    for (const one of processes) one.end()
  }
  expect(refused).toBeGreaterThan(0)
})
