/** A large run under the worst day: killed ten times, as a power cut would, and gone on with ten times. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JournalRecord } from '../../shared/run/record.ts'
import { TestProject } from '../support/reprise.ts'

const CALLS = 1000
const KILLS = [3, 40, 140, 230, 350, 470, 590, 710, 850, 990]

/** Ten rounds, each of which asks about what the round before said, in the order in which its answers came. */
const SCRIPT = `let before = 'nothing'
for (let round = 0; round < 10; round += 1) {
  const seen = []
  await parallel(Array.from({ length: ${CALLS / 10} }, (_, i) => () =>
    agent(\`call \${round}.\${i} after \${before} [[delay:\${(i * 7) % 4}]]\`).then(() => seen.push(i))))
  before = seen.slice(-3).join('-')
}
return before`

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

/** Prompts of the calls that have a result, as the journal says it. */
function finished(runId: string): Set<string> {
  const prompts = new Map<number, string>()
  const done = new Set<string>()
  // The last line may be torn.
  for (const line of readFileSync(project.journal(runId), 'utf8').split('\n')) {
    if (!line.endsWith('}')) continue
    const record = JSON.parse(line) as JournalRecord
    if (record.t === 'call') prompts.set(record.call, (record.params as { prompt: string }).prompt)
    if (record.t === 'result' && record.result.kind === 'ok') done.add(prompts.get(record.call) ?? '')
  }
  return done
}

test('1,000 calls killed at ten places: not one that had finished is started again', { timeout: 240_000 }, async () => {
  const script = project.write('large.js', SCRIPT)
  let going = project.start(['run', script, '--agent', 'simulated', '--concurrency', '16', '--quiet'])
  let saved = new Set<string>()
  let before = 0
  for (const kill of KILLS) {
    await project.killAt(going, kill)
    expect(project.started.slice(before).filter((prompt) => saved.has(prompt))).toEqual([])
    const runId = project.runIds[0] ?? ''
    saved = finished(runId)
    before = project.started.length
    expect(saved.size).toBeGreaterThanOrEqual(kill - 1) // the last result may have been cut in two
    going = project.start(['resume', runId, '--json'])
  }
  const document = JSON.parse((await going.ended).stdout) as { status: string; counts: { ok: number; live: number; replayed: number } }
  expect(project.started.slice(before).filter((prompt) => saved.has(prompt))).toEqual([])
  expect(document).toMatchObject({ status: 'completed', counts: { ok: CALLS } })
  // What was at work when it was killed is started anew: at most as many as there are slots, each time.
  expect(project.started.length).toBeLessThanOrEqual(CALLS + KILLS.length * 16)
})
