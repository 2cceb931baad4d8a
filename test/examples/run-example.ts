/** Runs a sample workflow in this thread: read and prepared by the engine, its calls made by the real agents. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { childEnvironment } from '../../main/agents/child-environment.ts'
import { agentRunners } from '../../main/agents/runners.ts'
import type { AgentRequest } from '../../main/engine/ports.ts'
import { schemaCheck } from '../../main/engine/schema.ts'
import { checkScript } from '../../main/engine/source/check-script.ts'
import type { Json } from '../../shared/json.ts'

export interface ExampleRun {
  value: Json
  /** Labels of the calls, in the order they were made. */
  calls: string[]
  logs: string[]
}

type Thunk = () => unknown
type Stage = (previous: unknown, item: unknown, index: number) => unknown

export async function runExample(
  file: string,
  options: { cwd: string; agent: string; args?: Json; remaining?: number },
): Promise<ExampleRun> {
  const checked = await checkScript(readFileSync(file, 'utf8'), basename(file))
  if (checked.prepared === null) throw new Error(checked.diagnostics.map(({ message, line }) => `${line}: ${message}`).join('\n'))
  const runners = agentRunners({ project: options.cwd, data: options.cwd, defaultAgent: options.agent })
  const simulated = options.agent === 'simulated' ? { agentType: 'simulated' } : {}
  const [calls, logs]: [string[], string[]] = [[], []]
  const env = childEnvironment(process.env, { runId: 'example', call: 1 })

  async function agent(prompt: string, asked: Partial<AgentRequest> = {}): Promise<Json> {
    const request: AgentRequest = { ...asked, prompt }
    const call = calls.push(request.label ?? '')
    const runner = await runners.resolve({ ...request, ...simulated })
    if ('refused' in runner) throw new Error(runner.detail)
    const where = { cwd: options.cwd, project: options.cwd, readOnly: false, permissions: 'ask' } as const
    const place = { runId: 'example', call, attempt: 1, generation: 1, ...where, label: null, timeoutMs: null, prompt }
    const schema = request.schema
    const outcome = await runner.runner.run(schema === undefined ? place : { ...place, schema }, {
      signal: new AbortController().signal,
      onEvent: () => {},
      onPermission: async () => 'deny',
      onSpawn: () => {},
      onSession: () => {},
      env,
    })
    if (outcome.kind !== 'ok') return null
    if (schema !== undefined && !schemaCheck(schema)(outcome.output).ok) throw new Error(`The answer of ${request.label} breaks its schema`)
    return outcome.output
  }
  const orNull = async (work: () => unknown) => {
    try {
      return await work()
    } catch (error) {
      logs.push(String(error))
      return null
    }
  }
  const globals = {
    agent,
    parallel: (thunks: Thunk[]) => Promise.all(thunks.map((thunk) => orNull(thunk))),
    pipeline: (items: unknown[], ...stages: Stage[]) =>
      Promise.all(
        items.map((item, index) =>
          orNull(async () => {
            let previous = item
            for (const stage of stages) previous = await stage(previous, item, index)
            return previous
          }),
        ),
      ),
    phase: () => {},
    log: (...values: unknown[]) => logs.push(values.join(' ')),
    args: options.args,
    budget: { total: null, spent: () => 0, remaining: () => options.remaining ?? Number.POSITIVE_INFINITY },
  }
  const body = new Function(...Object.keys(globals), `return (${checked.prepared.code})`)(...Object.values(globals)) as () => Promise<Json>
  return { value: await body(), calls, logs }
}
