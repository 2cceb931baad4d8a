/** Entry of a run's own thread. */
import { parentPort } from 'node:worker_threads'
import type { ToHost } from './host-messages.ts'
import { makeHost } from './run-host.ts'

const port = parentPort
if (port === null) throw new Error('This file is the entry of a worker thread.')
const tell = makeHost(
  (message) => port.postMessage(message),
  () => port.close(),
)
port.on('message', (message: ToHost) => tell(message))
