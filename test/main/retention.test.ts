/** The app's own tidying: what the person set, and nothing that may still be wanted. */
import { existsSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { LiveEntry } from '../../main/live-runs.ts'
import { Projects } from '../../main/projects.ts'
import { keepShort } from '../../main/retention.ts'
import { createService } from '../../main/service/create-service.ts'
import { AppSettings } from '../../main/settings.ts'
import { Signal } from '../../main/signal.ts'
import { openStore } from '../../main/store/run-store.ts'
import type { RunView } from '../../shared/run/view.ts'
import { finishedRun } from '../store/bundle-fixtures.ts'
import { tempFolder } from '../store/run-fixtures.ts'

async function world() {
  const project = tempFolder()
  const runs = []
  for (let i = 0; i < 4; i++) runs.push((await finishedRun(`answer ${i}`, { project })).runId)
  const data = tempFolder()
  const projects = new Projects(data)
  projects.open(project)
  const bin = mkdtempSync(join(tmpdir(), 'bin-'))
  const ended = new Signal<{ entry: LiveEntry; view: RunView }>()
  const service = createService({ data })
  const settings = new AppSettings(data)
  const onRemoved = vi.fn()
  const start = () =>
    keepShort({
      service,
      live: { ended },
      projects,
      settings,
      trash: async (path) => renameSync(path, join(bin, basename(path))),
      onRemoved,
    })
  const left = async (): Promise<string[]> => (await openStore(project).list({ limit: 50 })).runs.map(({ runId }) => runId).sort()
  return { project, runs, bin, ended, service, settings, onRemoved, start, left }
}

test('runs beyond the number that the person set go to the trash when the app starts, the oldest ones', async () => {
  const { start, settings, left, runs, bin, onRemoved } = await world()
  settings.change({ keepRuns: 3 })
  start()
  await vi.waitFor(() => expect(onRemoved).toHaveBeenCalledOnce())
  expect(await left()).toEqual(runs.slice(1))
  expect(existsSync(join(bin, runs[0] ?? '', 'run.json'))).toBe(true)
})

test('and when a run has ended', async () => {
  const { start, settings, left, ended, project, onRemoved, runs } = await world()
  settings.change({ keepRuns: 4 })
  start()
  const more = (await finishedRun('a fifth', { project })).runId
  const entry = { project } as LiveEntry // of which only the project is looked at
  ended.emit({ entry, view: {} as RunView })
  await vi.waitFor(() => expect(onRemoved).toHaveBeenCalledOnce())
  expect(await left()).toEqual([...runs.slice(1), more].sort())
})

test('a pinned run stays, and does not count', async () => {
  const { start, settings, left, runs, service, project, onRemoved } = await world()
  await service.pin(project, runs[0] ?? ('' as never), true)
  settings.change({ keepRuns: 1 })
  start()
  await vi.waitFor(() => expect(onRemoved).toHaveBeenCalledOnce())
  expect(await left()).toEqual([runs[0], runs[3]])
})

test('nothing goes when the person keeps all', async () => {
  const { start, settings, left, runs, onRemoved } = await world()
  settings.change({ keepRuns: null })
  start()
  settings.change({ keepRuns: 2 })
  await vi.waitFor(() => expect(onRemoved).toHaveBeenCalledOnce())
  expect(await left()).toEqual(runs.slice(2))
})
