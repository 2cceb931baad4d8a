/** The first 50 of N workflows that DBOS has in Postgres: `list.mjs N NAME`. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import pg from 'pg'

const [, , count, name] = process.argv
const url = `${process.env.BENCH_POSTGRES}/${name}`
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error', applicationVersion: 'bench' })
const workflow = DBOS.registerWorkflow(async () => DBOS.runStep(async () => 'x'.repeat(400), { name: 'step' }), { name: 'bench' })
await DBOS.launch()
await (await DBOS.startWorkflow(workflow, { workflowID: 'w0' })()).getResult()
const client = new pg.Client(url)
await client.connect()
const { rows } = await client.query(
  "select column_name as name from information_schema.columns where table_schema = 'dbos' and table_name = 'workflow_status' and is_generated = 'NEVER'",
)
const columns = rows.map((row) => `"${row.name}"`).join(', ')
const values = rows.map((row) => (row.name === 'workflow_uuid' ? "'w' || copy" : `"${row.name}"`)).join(', ')
await client.query(
  `insert into dbos.workflow_status (${columns}) select ${values} from dbos.workflow_status, generate_series(1, ${Number(count) - 1}) copy where workflow_uuid = 'w0'`,
)
await client.query('analyze')
await client.end()
const began = performance.now()
const listed = await DBOS.listWorkflows({ limit: 50, sortDesc: true })
const listMs = performance.now() - began
if (listed.length !== Math.min(50, Number(count))) throw new Error(`it listed ${listed.length}`)
console.log(JSON.stringify({ listMs }))
process.exit(0)
