import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRunOnce } from '../../main/store/ended-runs.ts'
import { projectPaths, runPaths } from '../../main/store/paths.ts'
import { COUNTS, call, result, startedEvent, startedRun, viewFrom } from './run-fixtures.ts'

async function endedRun() {
  const { store, runId, run, project } = await startedRun()
  await run.append([
    call(1),
    result(1, 'one'),
    { t: 'end', attempt: 1, end: { status: 'completed' }, counts: COUNTS, value: { inline: 1 } },
  ])
  const events = [startedEvent(runId)]
  run.publish(events, viewFrom(events))
  await run.release(viewFrom(events))
  return { store, runId, files: runPaths(projectPaths(project), runId) }
}

test('a run that has ended is read once, however often it is asked for', async () => {
  const { files } = await endedRun()
  expect(readRunOnce(files).records).toBe(readRunOnce(files).records)
})

test('a run whose files changed is read anew: its journal, or its pin', async () => {
  const { files, store, runId } = await endedRun()
  const first = readRunOnce(files)
  store.setPinned(runId, true)
  expect(readRunOnce(files).view.pinned).toBe(true)
  appendFileSync(files.journal, 'scribble\n')
  expect(readRunOnce(files).badLines).toHaveLength(first.badLines.length + 1)
})

test('a run that has not ended is read each time: how it stands depends on its owner', async () => {
  const { runId, run, project } = await startedRun()
  await run.append([call(1)])
  const files = runPaths(projectPaths(project), runId)
  expect(readRunOnce(files).records).not.toBe(readRunOnce(files).records)
})
