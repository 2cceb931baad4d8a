// Evaluates prepared code in a real compartment, as the script worker does; a thread of its own, since lockdown can't be undone.
import { parentPort } from 'node:worker_threads'
import 'ses'

lockdown({ overrideTaming: 'severe', errorTaming: 'unsafe', consoleTaming: 'unsafe', stackFiltering: 'verbose' })

parentPort.on('message', async ({ id, code, sourceUrl, args }) => {
  const post = (outcome) => parentPort.postMessage({ id, ...outcome })
  try {
    const compartment = new Compartment({
      globals: {
        args,
        agent: async (prompt) => prompt,
        parallel: (thunks) => Promise.all(thunks.map((thunk) => thunk())),
        budget: { total: null },
      },
      __options__: true,
    })
    const body = compartment.evaluate(`${code}\n//# sourceURL=${sourceUrl}`, { __rejectSomeDirectEvalExpressions__: false })
    post({ value: await body() })
  } catch (error) {
    post({ error: { name: String(error?.name), message: String(error?.message), stack: String(error?.stack) } })
  }
})
