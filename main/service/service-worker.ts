/** Entry of the service's thread in the app: reads, checks and starts away from the thread that owns the windows. */
import { parentPort, workerData } from 'node:worker_threads'
import { assertNever } from '../../shared/assert-never.ts'
import { AppError } from '../../shared/errors.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import { refreshLoginPath } from '../agents/login-path.ts'
import type { SecretValues } from '../agents/secret-file.ts'
import { createService } from './create-service.ts'
import { closeLostRuns } from './lost-thread.ts'
import type { LiveRun } from './service.ts'
import type { FromService, LiveRunHandle, ToService } from './service-messages.ts'

const port = parentPort
if (port === null) throw new Error('This file is the entry of a worker thread.')
const say = (message: FromService): void => port.postMessage(message)

let secrets: SecretValues = {}
const service = createService({ data: workerData as string, secrets: () => secrets })
// An app that was started from a dock or a menu has next to no PATH.
void refreshLoginPath(workerData as string)
const live = new Map<number, LiveRun>()
let lives = 0

port.on('message', (message: ToService) => {
  switch (message.t) {
    case 'stop':
      return live.get(message.live)?.stop(message.how)
    case 'pause':
      return live.get(message.live)?.pause()
    case 'secrets':
      secrets = message.values
      return
    case 'call':
      void answer(message)
      return
    case 'close-lost':
      void closeLost(message)
      return
    default:
      return assertNever(message)
  }
})

async function answer({ id, method, args }: Extract<ToService, { t: 'call' }>): Promise<void> {
  try {
    const call = service[method] as (...args: unknown[]) => Promise<unknown>
    const value = await call(...args)
    if (method !== 'launch' && method !== 'resume') return say({ t: 'answer', id, result: { ok: true, value } })
    const run = value as LiveRun
    const handle: LiveRunHandle = { live: ++lives, runId: run.runId, number: run.number, existed: run.existed }
    say({ t: 'answer', id, result: { ok: true, value: handle } })
    follow(handle.live, run)
  } catch (error) {
    say({ t: 'answer', id, result: { ok: false, error: AppError.wrap(error).toData() } })
  }
}

async function closeLost({ id, project, error }: Extract<ToService, { t: 'close-lost' }>): Promise<void> {
  try {
    await closeLostRuns(project, AppError.from(error))
    say({ t: 'answer', id, result: { ok: true, value: null } })
  } catch (thrown) {
    say({ t: 'answer', id, result: { ok: false, error: AppError.wrap(thrown).toData() } })
  }
}

/** Events go over in one message a turn. */
function follow(id: number, run: LiveRun): void {
  let batch: RunEvent[] = []
  const flush = (): void => {
    if (batch.length > 0) say({ t: 'events', live: id, events: batch })
    batch = []
  }
  live.set(id, run)
  run.onEvent((event) => {
    batch.push(event)
    if (batch.length === 1) setImmediate(flush)
  })
  run.done.then(
    (view) => {
      flush()
      say({ t: 'done', live: id, result: { ok: true, value: view } })
      live.delete(id)
    },
    (error: unknown) => {
      flush()
      say({ t: 'done', live: id, result: { ok: false, error: AppError.wrap(error).toData() } })
      live.delete(id)
    },
  )
}
