/** A real `ses` compartment in a thread, for tests that ask what prepared code does when it runs. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll } from 'vitest'
import { checkScript, type PreparedScript } from '../../../main/engine/source/check-script.ts'

export interface Outcome {
  value?: unknown
  error?: { name: string; message: string; stack: string }
}

/** A compartment for one test file; the thread ends with it. */
export function realCompartment(): { evaluate: (prepared: PreparedScript, args?: unknown) => Promise<Outcome> } {
  const worker = new Worker(new URL('./compartment-thread.mjs', import.meta.url))
  afterAll(() => worker.terminate())
  let last = 0
  return {
    async evaluate({ code, file }, args) {
      const id = ++last
      worker.postMessage({ id, code, sourceUrl: encodeURI(file), args })
      for (;;) {
        const [answer] = (await once(worker, 'message')) as [Outcome & { id: number }]
        if (answer.id === id) return answer
      }
    },
  }
}

/** The prepared form of a script that has no errors. */
export async function prepared(source: string, filename = 'script.js'): Promise<PreparedScript> {
  const checked = await checkScript(source, filename)
  if (checked.prepared === null) throw new Error(`Refused: ${JSON.stringify(checked.diagnostics)}`)
  return checked.prepared
}
