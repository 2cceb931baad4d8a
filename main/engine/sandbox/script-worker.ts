/** Entry of the script's thread: locks the realm, starts the script it was given, and passes messages on. */
import { parentPort, workerData } from 'node:worker_threads'
import type { ScriptInit, ToScript } from './protocol.ts'
import { createRealm, lockRealm } from './realm.ts'
import { startScript } from './script.ts'

const port = parentPort
if (port === null) throw new Error('This file is the entry of a worker thread.')

const unheard = new Map<Promise<unknown>, unknown>()
process.on('unhandledRejection', (reason, promise) => unheard.set(promise, reason))
process.on('rejectionHandled', (promise) => unheard.delete(promise))
process.on('uncaughtException', (thrown) => script.threw(thrown))

lockRealm()
const realm = createRealm(() => [...unheard.values()])
const script = startScript(workerData as ScriptInit, realm, (batch) => port.postMessage(batch))
port.on('message', (batch: ToScript[]) => {
  for (const message of batch) script.receive(message)
})
