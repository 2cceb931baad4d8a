/** Lists the first 50 of a project's runs in a process that has read nothing of it, and times the bare reading of its index too. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../../main/store/run-store.ts'

const [, , project = ''] = process.argv
const ours = async (): Promise<number> => {
  const began = performance.now()
  const { runs } = await openStore(project).list({ limit: 50 })
  if (runs.length !== 50 || runs.some((row) => row.damaged !== null)) throw new Error('the list is not what was made')
  return performance.now() - began
}
const bare = (): number => {
  const began = performance.now()
  const lines = readFileSync(join(project, '.claude/workflow-runs/index.jsonl'), 'utf8').split('\n')
  for (const line of lines) if (line !== '') JSON.parse(line)
  return performance.now() - began
}
const first = process.argv[3] === 'bare' ? { bareMs: bare() } : { listMs: await ours() }
process.stdout.write(`${JSON.stringify(first)}\n`)
