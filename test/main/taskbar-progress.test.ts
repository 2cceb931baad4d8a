import { expect, test, vi } from 'vitest'
import { LiveRuns } from '../../main/live-runs.ts'
import { followProgress } from '../../main/taskbar-progress.ts'
import { FakeRun } from './fake-run.ts'

function starts(run: FakeRun, ...phases: string[]): void {
  const facts = { path: '/p/x.ts', script: '', scriptChanged: false, backend: null, policy: 'content', concurrency: 4, budget: null }
  const declaredPhases = phases.map((title) => ({ title }))
  run.say({ type: 'run.started', number: run.number, title: 'x', ...facts, declaredPhases, startedAt: 0 })
}
const enters = (run: FakeRun, phase: string) => run.say({ type: 'phase.started', phase, source: 'live' })
const leaves = (run: FakeRun, phase: string) => run.say({ type: 'phase.ended', phase, source: 'live' })

test('the bar on the icon grows with the declared phases of all live runs, and goes with the last of them', async () => {
  const live = new LiveRuns()
  const shown: number[] = []
  followProgress(live, (share) => shown.push(share))
  const [one, two] = [new FakeRun('A'), new FakeRun('B', 2)]
  live.add(one, '/p')
  starts(one, 'Read', 'Write')
  enters(one, 'Read')
  leaves(one, 'Read')
  live.add(two, '/p')
  starts(two, 'Plan', 'Do')
  expect(shown).toEqual([0, 0.5, 0.25])
  one.end('completed')
  two.end('completed')
  await vi.waitFor(() => expect(shown.at(-1)).toBe(-1))
})

test('a run that declares no phase shows no bar', () => {
  const live = new LiveRuns()
  const shown: number[] = []
  followProgress(live, (share) => shown.push(share))
  const run = new FakeRun('A')
  live.add(run, '/p')
  run.start()
  enters(run, 'Ad hoc')
  expect(shown).toEqual([])
})
