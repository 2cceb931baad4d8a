/** Vercel's `workflow` in its local world: files in a folder, steps by HTTP to this process. Its writes are not synced. */
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { asked, say, step } from '../../adapters/step.mjs'

const port = 21_000 + (process.pid % 2000)
process.env.WORKFLOW_TARGET_WORLD = 'local'
process.env.WORKFLOW_LOCAL_DATA_DIR = path.join(asked.dir, 'world')
process.env.WORKFLOW_LOCAL_BASE_URL = `http://127.0.0.1:${port}`
process.env.WORKFLOW_TELEMETRY_DISABLED = '1'
globalThis.benchStep = step
const built = path.join(import.meta.dirname, '.well-known/workflow/v1')
const load = async (name) => {
  const module = await import(path.join(built, name))
  return module.default ?? module
}
const routes = { flow: (await load('flow.js')).POST, step: (await load('step.js')).POST }
const { getWorld } = await import('workflow/runtime')
const { getRun, start } = await import('workflow/api')

const server = http.createServer(async (request, response) => {
  const route = routes[request.url?.split('?')[0]?.replace('/.well-known/workflow/v1/', '') ?? '']
  if (route === undefined) return response.writeHead(404).end()
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const { method, headers } = request
  const answer = await route(new Request(`http://127.0.0.1${request.url}`, { method, headers, body: Buffer.concat(chunks) }))
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()))
})
await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
const manifest = JSON.parse(fs.readFileSync(path.join(built, 'manifest.json'), 'utf8'))
const workflowId = Object.values(manifest.workflows).find((file) => file.bench !== undefined).bench.workflowId
say('ready')
say('start')
const world = await getWorld()
await world.start?.()
const run =
  asked.mode === 'resume' ? getRun((await world.runs.list({})).data[0].runId) : await start({ workflowId }, [asked.n, asked.lanes])
await run.returnValue
say('done')
process.exit(0)
