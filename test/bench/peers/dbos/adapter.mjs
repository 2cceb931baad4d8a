/** DBOS on Postgres (BENCH_POSTGRES, a database of its own for each run), synced by Postgres as it comes. */
import path from 'node:path'
import { DBOS } from '@dbos-inc/dbos-sdk'
import pg from 'pg'
import { asked, groups, say, step } from '../../adapters/step.mjs'

const database = `bench_${path.basename(asked.dir).replace(/\W/g, '_').toLowerCase()}`
const url = `${process.env.BENCH_POSTGRES}/${database}`
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error', applicationVersion: 'bench' })
const workflow = DBOS.registerWorkflow(
  async () => {
    for (const group of groups()) await Promise.all(group.map((index) => DBOS.runStep(async () => step(index), { name: 'step' })))
    return asked.n
  },
  { name: 'bench' },
)
await DBOS.launch()
say('ready')
say('start')
const handle = asked.mode === 'resume' ? DBOS.retrieveWorkflow('bench') : await DBOS.startWorkflow(workflow, { workflowID: 'bench' })()
await handle.getResult()
const client = new pg.Client(url)
await client.connect()
const { rows } = await client.query("select pg_total_relation_size('dbos.operation_outputs')::int as bytes")
await client.end()
say('done', { bytes: rows[0].bytes })
process.exit(0)
