/** Our engine in one process, as the run's thread has it: real store, real scheduler, real sandbox; the agent is the step. */
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AgentRunner } from '../../../main/agents/agent-runner.ts'
import type { Runners } from '../../../main/agents/runners.ts'
import { Attempt } from '../../../main/engine/attempt.ts'
import type { NewRun, OpenRun } from '../../../main/engine/ports.ts'
import { scriptThreads } from '../../../main/engine/script-thread.ts'
import { checkScript } from '../../../main/engine/source/check-script.ts'
import { LocalExecutor } from '../../../main/host/local-executor.ts'
import { systemClock } from '../../../main/host/system-clock.ts'
import type { Durability } from '../../../main/store/journal.ts'
import { currentOwner } from '../../../main/store/owner.ts'
import { sha256Of } from '../../../main/store/payload.ts'
import { type LocalRunStore, openStore } from '../../../main/store/run-store.ts'
import { Profile } from '../../../shared/contract/agents.ts'
import { RequestId, RunId } from '../../../shared/ids.ts'
import { asked, say, step } from './step.mjs'

const TEXT = `const { n, lanes } = args
for (let from = 0; from < n; from += lanes) {
  if (lanes === 1) await agent(String(from))
  else await parallel(Array.from({ length: Math.min(lanes, n - from) }, (_, place) => () => agent(String(from + place))))
}
return n
`

const NAME = 'simulated'
const runner: AgentRunner = {
  backend: NAME,
  run: async ({ prompt }) => ({ kind: 'ok', output: step(Number(prompt)), usage: { inputTokens: 0, outputTokens: 0 }, cost: 0 }),
}
const profile = Profile.parse({ name: NAME, backend: 'simulated' })
const runners: Runners = {
  resolve: async () => ({
    ...{
      runner,
      profile,
      source: 'built-in',
      model: null,
      instructions: null,
      tools: null,
      readOnly: false,
      permissions: profile.permissions,
    },
  }),
  load: async () => undefined,
  lane: () => null,
  maxCostPerDay: async () => null,
  path: async () => process.env['PATH'] ?? '',
  close: async () => undefined,
}

const { mode, lanes, n, dir } = asked
const script = { sha256: sha256Of(TEXT), text: TEXT, ext: 'mjs' as const }
const input = { script, args: { n, lanes }, engine: 'bench', policy: 'content' as const, backend: NAME }
const limits: NewRun['limits'] = { concurrency: 16, maxAgents: 100_000, budget: null, maxCost: null, stallMs: null }

async function make(store: LocalRunStore): Promise<OpenRun> {
  const run: NewRun = {
    ...{ runId: RunId.parse('bench'), title: 'bench', project: dir, workspace: 'current', git: null, limits, seed: 'bench' },
    ...{ engine: 'bench', backend: NAME, policy: 'content', text: TEXT, args: input.args },
    source: { kind: 'file', path: join(dir, 'bench.mjs'), name: null, sha256: script.sha256, ext: 'mjs' },
  }
  const made = await store.create(run, RequestId.parse('bench'), currentOwner())
  return store.adopt(made.runId, made.token)
}

async function goOn(store: LocalRunStore): Promise<OpenRun> {
  const opened = await store.open(RunId.parse('bench'), { ...input, owner: currentOwner() })
  if ('heldBy' in opened) throw new Error('the run that was killed is still held')
  return opened
}

mkdirSync(dir, { recursive: true })
const { prepared } = await checkScript(TEXT, 'bench.mjs')
if (prepared === null) throw new Error('the script of the benchmark is refused')
const store = openStore(dir, { durability: (process.env['BENCH_DURABILITY'] ?? 'full') as Durability })
say('ready')
say('start')
const run = mode === 'resume' ? await goOn(store) : await make(store)
const executor = new LocalExecutor({ cwd: dir, slots: 16, runners, defaultAgent: NAME })
const attempt = new Attempt({
  ...{ run, executor, clock: systemClock, script: prepared, input, limits, declaredPhases: [], earlier: null, skipInFlight: [] },
  startScript: scriptThreads(new URL('script-worker.mjs', pathToFileURL(`${process.env['BENCH_CLI'] ?? ''}/`))),
  loadChild: async () => {
    throw new Error('the script of the benchmark calls no other')
  },
  readFile: async () => ({ refused: 'the script of the benchmark shows no file' }),
  whenWaiting: 'stay',
  burstMs: 10, // as the run's thread does
  onEvents: () => undefined,
})
attempt.start()
const view = await attempt.done
if (view.status !== 'completed') throw new Error(`the run ended as ${view.status}: ${view.error?.message}`)
const files = join(dir, '.claude', 'workflow-runs', 'bench')
say('done', { bytes: statSync(join(files, 'journal.jsonl')).size, files: readdirSync(files).length })
process.exit(0)
