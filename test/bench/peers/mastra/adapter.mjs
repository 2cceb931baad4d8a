/** Mastra with LibSQL in a file: a chain of steps, or groups of 16 in parallel. Its writes are not synced. */
import path from 'node:path'
import { Mastra } from '@mastra/core'
import { createStep, createWorkflow } from '@mastra/core/workflows'
import { LibSQLStore } from '@mastra/libsql'
import { z } from 'zod'
import { asked, groups, say, step } from '../../adapters/step.mjs'

const any = z.any()
const durable = (index) => createStep({ id: `step-${index}`, inputSchema: any, outputSchema: any, execute: async () => step(index) })
let workflow = createWorkflow({ id: 'bench', inputSchema: any, outputSchema: any })
for (const group of groups()) workflow = group.length === 1 ? workflow.then(durable(group[0])) : workflow.parallel(group.map(durable))
workflow.commit()
const storage = new LibSQLStore({ id: 'bench', url: `file:${path.join(asked.dir, 'mastra.db')}` })
const mastra = new Mastra({ workflows: { bench: workflow }, storage, logger: false })
say('ready')
say('start')
const run = await mastra.getWorkflow('bench').createRun({ runId: 'bench' })
const result = asked.mode === 'resume' ? await run.restart() : await run.start({ inputData: {} })
if (result.status !== 'success') throw new Error(JSON.stringify(result).slice(0, 400))
say('done')
process.exit(0)
