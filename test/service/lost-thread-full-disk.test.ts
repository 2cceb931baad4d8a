/** The thread of a run is lost while the disk is full: the run is closed as soon as there is room. */
import { expect, test, vi } from 'vitest'
import { closeLostRun } from '../../main/service/lost-thread.ts'
import { openStore } from '../../main/store/run-store.ts'
import { AppError } from '../../shared/errors.ts'
import { startedRun } from '../store/run-fixtures.ts'

let isFull = false
let refused = 0
vi.mock('../../main/store/disk.ts', async (original) => {
  const disk = await original<typeof import('../../main/store/disk.ts')>()
  const write: typeof disk.nodeDisk.write = (fd, bytes, offset) => {
    if (!isFull) return disk.nodeDisk.write(fd, bytes, offset)
    refused += 1
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  }
  return { ...disk, nodeDisk: { ...disk.nodeDisk, write } }
})

const end = () => ({ status: 'failed' as const, error: new AppError('internal', 'out of luck').toData() })

test('a run whose thread is lost while the disk is full is closed as soon as there is room', async () => {
  const { project, runId } = await startedRun()
  isFull = true
  refused = 0
  const closed = closeLostRun(project, runId, end, new AbortController().signal)
  await vi.waitUntil(() => refused > 0)
  expect((await openStore(project).read(runId)).view.endedAt).toBe(null)
  isFull = false
  expect(await closed).toMatchObject({ status: 'failed', error: { message: 'out of luck' } })
  expect((await openStore(project).read(runId)).view.status).toBe('failed')
})

test('a process that is about to go does not wait for room', async () => {
  const { project, runId } = await startedRun()
  isFull = true
  await expect(closeLostRun(project, runId, end, AbortSignal.abort())).rejects.toMatchObject({ code: 'disk-full' })
  isFull = false
})
