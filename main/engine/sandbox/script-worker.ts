/** Entry of the script's thread: locks the realm, starts the script that it is given, and passes messages on. */
import { parentPort } from 'node:worker_threads'
import type { ToThread } from './protocol.ts'
import { createRealm, lockRealm } from './realm.ts'
import { type RunningScript, startScript } from './script.ts'

const port = parentPort
if (port === null) throw new Error('This file is the entry of a worker thread.')

const unheard = new Map<Promise<unknown>, unknown>()
process.on('unhandledRejection', (reason, promise) => unheard.set(promise, reason))
process.on('rejectionHandled', (promise) => unheard.delete(promise))
process.on('uncaughtException', (thrown) => {
  if (script === null) throw thrown
  script.threw(thrown)
})

lockRealm()
const realm = createRealm(() => [...unheard.values()])
let script: RunningScript | null = null
port.on('message', (batch: ToThread[]) => {
  for (const message of batch) {
    if (message.t === 'init') script = startScript(message.init, realm, (said) => port.postMessage(said))
    else script?.receive(message)
  }
})
