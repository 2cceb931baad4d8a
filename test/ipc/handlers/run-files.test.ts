/** The page and the files of runs, with the real store and a desktop that only remembers. */
import { existsSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Desktop, type RunFileHandlers, runFileHandlers } from '../../../main/ipc/handlers/run-files.ts'
import { Projects } from '../../../main/projects.ts'
import { createService } from '../../../main/service/create-service.ts'
import { currentOwner } from '../../../main/store/owner.ts'
import { openStore } from '../../../main/store/run-store.ts'
import { RunId } from '../../../shared/ids.ts'
import { finishedRun } from '../../store/bundle-fixtures.ts'
import { startedRun, tempFolder } from '../../store/run-fixtures.ts'

let project: string
let projects: Projects
let bin: string
let desktop: Desktop & { revealed: string[]; saveAs: string | null }
let handlers: RunFileHandlers
const listChanged = vi.fn()

beforeEach(() => {
  project = tempFolder()
  bin = mkdtempSync(join(tmpdir(), 'bin-'))
  const revealed: string[] = []
  desktop = {
    saveAs: null,
    revealed,
    savePath: async () => desktop.saveAs,
    trash: async (path) => renameSync(path, join(bin, basename(path))),
    reveal: (path) => void revealed.push(path),
    env: { SERVICE_TOKEN: 'sesame-sesame-sesame' },
  }
  const data = tempFolder()
  projects = new Projects(data)
  projects.open(project)
  handlers = runFileHandlers(createService({ data }), projects, desktop, listChanged)
  listChanged.mockClear()
})

afterEach(() => projects.flush())

const inList = async (): Promise<string[]> => (await openStore(project).list({ limit: 50 })).runs.map(({ runId }) => runId)

test('a run is saved where the person says, and nothing is written when they say nothing', async () => {
  const { runId } = await finishedRun('the answer', { project })
  expect(await handlers['runs.export']({ runId })).toBeNull()
  desktop.saveAs = join(bin, 'kept.reprise')
  expect(await handlers['runs.export']({ runId })).toMatchObject({ path: desktop.saveAs, redacted: false })
  await expect(handlers['runs.import']({ path: desktop.saveAs })).rejects.toMatchObject({ code: 'run-exists' })
  renameSync(join(project, '.claude/workflow-runs', runId), join(bin, runId))
  expect(await handlers['runs.import']({ path: desktop.saveAs })).toMatchObject({ runId, redacted: false })
  expect(listChanged).toHaveBeenCalledOnce()
})

test('secrets of the environment stay out of a redacted export', async () => {
  const { runId } = await finishedRun('it is sesame-sesame-sesame', { project })
  desktop.saveAs = join(bin, 'clean.reprise')
  expect(await handlers['runs.export']({ runId, redact: true })).toMatchObject({ redacted: true })
  await handlers['runs.remove']({ runIds: [runId] })
  await handlers['runs.import']({ path: desktop.saveAs })
  const { view, records } = await openStore(project).read(runId)
  expect(JSON.stringify([view, records])).not.toContain('sesame-sesame')
})

test('a removed run lies in the trash, whole, and is not in the list any more', async () => {
  const [a, b] = [await finishedRun('a', { project }), await finishedRun('b', { project })]
  expect(await handlers['runs.remove']({ runIds: [a.runId] })).toEqual({ removed: [a.runId] })
  expect(existsSync(join(bin, a.runId, 'journal.jsonl'))).toBe(true)
  expect(await inList()).toEqual([b.runId])
  expect(listChanged).toHaveBeenCalled()
})

test('a run at work and a pinned one are never removed, and keep the others of the same wish where they are', async () => {
  const done = await finishedRun('a', { project })
  const pinned = await finishedRun('b', { project })
  const live = await startedRun(currentOwner(), project)
  await handlers['runs.pin']({ runId: pinned.runId, pinned: true })
  await expect(handlers['runs.remove']({ runIds: [done.runId, live.runId] })).rejects.toMatchObject({ code: 'run-busy' })
  await expect(handlers['runs.remove']({ runIds: [done.runId, pinned.runId] })).rejects.toMatchObject({ code: 'run-pinned' })
  expect((await inList()).length).toBe(3)
  await handlers['runs.pin']({ runId: pinned.runId, pinned: false })
  expect(await handlers['runs.remove']({ runIds: [pinned.runId] })).toEqual({ removed: [pinned.runId] })
})

test('a trash that refuses leaves the run where it is and says so', async () => {
  const { runId } = await finishedRun('a', { project })
  desktop.trash = () => Promise.reject(new Error('no trash here'))
  await expect(handlers['runs.remove']({ runIds: [runId] })).rejects.toMatchObject({
    code: 'no-permission',
    message: expect.stringContaining('no trash here'),
  })
  expect(await inList()).toEqual([runId])
})

test('the files of a run are pointed at by the id of the run, and only those that there are', async () => {
  const { runId } = await finishedRun('a', { project })
  for (const file of ['folder', 'journal', 'source'] as const) await handlers['runs.revealFile']({ runId, file })
  expect(desktop.revealed.every((path) => existsSync(path) && path.includes(runId))).toBe(true)
  expect(desktop.revealed.length).toBe(3)
  await expect(handlers['runs.revealFile']({ runId: RunId.parse('01JQ0000000000000000000000'), file: 'journal' })).rejects.toMatchObject({
    code: 'run-unknown',
  })
})

test('a worktree that is not there is not shown', async () => {
  const { runId } = await finishedRun('the answer', { project })
  await expect(handlers['runs.openWorktree']({ runId, callId: 1 })).rejects.toMatchObject({ code: 'worktree-unknown' })
  expect(desktop.revealed).toEqual([])
})
