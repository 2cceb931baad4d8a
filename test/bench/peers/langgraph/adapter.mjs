/** LangGraph JS with its SQLite checkpointer: a functional workflow, each step a task. Its writes are not synced. */
import path from 'node:path'
import { entrypoint, task } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { asked, groups, say, step } from '../../adapters/step.mjs'

const checkpointer = SqliteSaver.fromConnString(path.join(asked.dir, 'langgraph.db'))
const durable = task('step', async (index) => step(index))
const workflow = entrypoint({ name: 'bench', checkpointer }, async () => {
  for (const group of groups()) await Promise.all(group.map((index) => durable(index)))
  return asked.n
})
say('ready')
say('start')
await workflow.invoke(asked.mode === 'resume' ? null : {}, { configurable: { thread_id: 'bench' }, recursionLimit: 1_000_000 })
say('done')
process.exit(0)
