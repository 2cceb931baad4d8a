/** What other processes ask of a run, with a disk that is full and with files that change meanwhile. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { obey } from '../../main/host/obey.ts'
import { readShownFile } from '../../main/host/shown-file.ts'
import { decide } from '../../main/service/decide.ts'
import { type Disk, nodeDisk } from '../../main/store/disk.ts'
import { sha256Of } from '../../main/store/payload.ts'
import { openStore } from '../../main/store/run-store.ts'
import { program } from '../engine/support/memory-attempt.ts'
import { Owner, type OwnerOptions } from '../engine/support/thread-owner.ts'
import { attempt as attemptOf, newRequestId, newRun, tempFolder } from '../store/run-fixtures.ts'

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** A run at work on a disk that can be filled, obeying who writes into its folder. */
async function going(main: OwnerOptions['programs']['main'], readFile?: OwnerOptions['readFile']) {
  const project = tempFolder()
  let isFull = false
  const disk: Disk = {
    ...nodeDisk,
    write(fd, bytes, offset) {
      if (isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      return nodeDisk.write(fd, bytes, offset)
    },
  }
  const store = openStore(project, { disk })
  const made = await store.create(newRun(project, { backend: 'simulated' }), newRequestId(), attemptOf().owner)
  const run = await store.adopt(made.runId, made.token)
  const owner = new Owner({ project, run, programs: { main, part: main }, agent: 'simulated', ...(readFile !== undefined && { readFile }) })
  const over = new AbortController()
  const obeying = obey(store.inbox, made.runId, owner.attempt, over.signal)
  return {
    project,
    runId: made.runId,
    owner,
    fill(full: boolean) {
      isFull = full
    },
    async end() {
      over.abort()
      await obeying
    },
  }
}

const two = program(async ({ agent, parallel }) => parallel([() => agent('quick [[delay:60]]'), () => agent('hangs [[hang]]')]))

test('a run that is stopped while its disk is full is stopped as soon as there is room, with all that was finished', async () => {
  const { project, runId, owner, fill, end } = await going(two)
  await until(() => owner.view?.calls.length === 2 && owner.view.calls.every(({ status }) => status === 'running'))
  fill(true)
  const { inbox } = openStore(project)
  expect(await inbox.post(runId, { id: 'pause', by: 'you', body: { kind: 'pause' } }, 200)).toBe('no-answer')
  expect(await inbox.post(runId, { id: 'stop', by: 'you', body: { kind: 'stop' } }, 200)).toBe('no-answer')
  // Nothing is told as ended that is not: until there is room its owner holds it.
  expect((await openStore(project).read(runId)).view).toMatchObject({ status: 'running', endedAt: null })
  fill(false)
  expect((await owner.over).status).toBe('killed')
  const { view, records } = await openStore(project).read(runId)
  expect([view.status, view.counts.ok]).toEqual(['killed', 1])
  expect(records.filter(({ t }) => t === 'end')).toHaveLength(1)
  expect((await openStore(project).list({ limit: 9 })).runs).toMatchObject([{ status: 'killed' }])
  await end()
})

const asking = program(async ({ gate }) => gate('Fine?', { show: { path: 'plan.md' } }))

test('a choice for a text that changed on its way to the run is refused, and the gate stays open for another', async () => {
  let folder = ''
  const { project, runId, owner, end } = await going(asking, (path) => readShownFile(folder, path))
  folder = project
  const plan = join(project, 'plan.md')
  writeFileSync(plan, 'old')
  await until(() => owner.view?.status === 'waiting')
  const { inbox } = openStore(project)
  const choice = (seen: string) => ({ kind: 'decide' as const, call: 1, choice: 'approve', seen: sha256Of(seen) })
  writeFileSync(plan, 'new')
  expect(await inbox.post(runId, { id: 'a', by: 'you', body: choice('old') }, 20_000)).toBe('unseen')
  expect(owner.view?.status).toBe('waiting')
  expect(await inbox.post(runId, { id: 'b', by: 'you', body: choice('new') }, 20_000)).toBe('accepted')
  expect((await owner.over).value).toMatchObject({ inline: { choice: 'approve' } })
  await end()
})

test('the person who chose is told that the text is another one, also when it changed after the last look', async () => {
  let folder = ''
  // The owner sees what the look of the service came too early for.
  const { project, runId, owner, end } = await going(asking, async (path) => {
    const file = await readShownFile(folder, path)
    if (owner.view?.status === 'waiting') return { text: 'changed', sha256: sha256Of('changed') }
    return file
  })
  folder = project
  writeFileSync(join(project, 'plan.md'), 'old')
  await until(() => owner.view?.status === 'waiting')
  await expect(decide(project, runId, 1, { choice: 'approve', by: 'you', seen: sha256Of('old') })).rejects.toMatchObject({
    code: 'gate-stale',
    message: 'plan.md changed after you opened it. Your choice was not applied.',
  })
  owner.attempt.stop('keep')
  await owner.over
  await end()
})
