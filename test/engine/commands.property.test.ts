/** Whatever a person does to a run, in whatever order and however it meets what is just finishing (P5). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { familyOf, type ProcessId } from '../../main/agents/process-tree.ts'
import type { OpenRun } from '../../main/engine/ports.ts'
import { type LocalRunStore, openStore } from '../../main/store/run-store.ts'
import type { RunView } from '../../shared/run/view.ts'
import { attempt as attemptOf, newRequestId, newRun } from '../store/run-fixtures.ts'
import { program } from './support/memory-attempt.ts'
import { Owner, type Programs } from './support/thread-owner.ts'

/** `REPRISE_SEEDS=2000 npx vitest run test/engine/commands.property.test.ts` for a long run. */
const SEEDS = Number(process.env['REPRISE_SEEDS'] ?? 60)
const COMMANDS = ['stop', 'stop-now', 'pause', 'skip', 'retry', 'answer', 'decide', 'resume', 'nothing'] as const
const step = fc.record({
  command: fc.constantFrom(...COMMANDS),
  /** Turns of the event loop that pass before it. */
  turns: fc.nat({ max: 25 }),
  /** Which call, question or choice it is about. */
  which: fc.nat({ max: 9 }),
})
/** How the last attempt is brought to its end. */
const endings = fc.constantFrom('stop' as const, 'pause' as const)
type Ending = 'stop' | 'pause'
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const PROMPTS = [
  'quick [[delay:0]]',
  'slow [[delay:8]]',
  'dies [[delay:1]] [[die:agent-error]]',
  'dies once [[delay:1]] [[die-once:agent-error]]',
  'asks [[delay:1]] [[ask:Bash]]',
  'hangs [[hang]]',
  'out of quota [[delay:12]] [[die:quota]]',
]

/** Agents of each kind at once, a gate, a nap, one that nobody waits for and a child, in an order drawn from the seed. */
function programOf(seed: number): Programs {
  const drawn = Array.from({ length: 5 }, (_, i) => PROMPTS[(seed >> (3 * i)) % PROMPTS.length] ?? 'quick [[delay:0]]')
  const main = program(async ({ agent, parallel, gate, sleep, workflow }) => {
    if (seed % 3 === 0) void agent('nobody waits [[delay:5]]')
    const seen = await parallel([
      ...drawn.map((prompt, i) => () => agent(`${prompt} ${i}`)),
      () => gate('Go on?'),
      async () => [await sleep(3), await agent('after the nap [[delay:1]]')],
      () => workflow('part'),
    ])
    return seen.length
  })
  return { main, part: program(async ({ agent }) => agent('in the child [[delay:2]]')) }
}

const children: ProcessId[] = []
const onChild = (child: ProcessId): void => void children.push(child)
/** What the children, and anything that they started, still are: they carry their run in their environment. */
const leftOf = (runId: string): ProcessId[] => familyOf(children, { REPRISE_RUN: runId })

function give(owner: Owner, { command, which }: Step): void {
  const calls = owner.view?.calls ?? []
  const call = calls[which % Math.max(1, calls.length)]?.callId ?? which
  const questions = calls.flatMap((one) => one.questions ?? [])
  const { attempt } = owner
  if (command === 'stop') attempt.stop('keep')
  if (command === 'stop-now') attempt.stop('now')
  if (command === 'pause') attempt.pause()
  if (command === 'skip') attempt.skip(call)
  if (command === 'retry') attempt.retry(call)
  if (command === 'answer')
    attempt.answer(questions[which % Math.max(1, questions.length)]?.question ?? 'none', which % 2 === 0 ? 'deny' : 'allow-once', 'you')
  if (command === 'decide') {
    const gate = calls.find((one) => one.kind === 'gate')?.callId ?? 0
    void attempt.decide(gate, { choice: which % 3 === 0 ? 'nonsense' : 'approve', by: 'you' })
  }
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** The next attempt, as soon as nobody has the run. */
async function next(store: LocalRunStore, runId: Parameters<LocalRunStore['open']>[0], agent: string): Promise<OpenRun> {
  const run = await store.open(runId, attemptOf({ backend: agent }))
  if ('heldBy' in run) throw new Error('A run that has ended is held by somebody')
  return run
}

/** What the disk says once an attempt is over: it has exactly one end, and nobody thinks that it still goes on. */
async function expectEnded(store: LocalRunStore, runId: Parameters<LocalRunStore['read']>[0]): Promise<RunView> {
  const { records, view } = await store.read(runId)
  const last = records.findLast((record) => record.t === 'attempt')?.attempt ?? 0
  expect(records.filter((record) => record.t === 'end' && record.attempt === last)).toHaveLength(1)
  expect(['completed', 'failed', 'killed', 'paused', 'waiting']).toContain(view.status)
  expect(view.endedAt).not.toBe(null)
  expect(view.calls.filter(({ actions, questions }) => actions.length > 0 || questions !== undefined)).toEqual([])
  return view
}

async function live(programs: Programs, steps: readonly Step[], ending: Ending, agent: string): Promise<void> {
  const project = mkdtempSync(join(tmpdir(), 'reprise-commands-'))
  try {
    await commanded(project, programs, steps, ending, agent)
  } finally {
    rmSync(project, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 })
  }
}

async function commanded(project: string, programs: Programs, steps: readonly Step[], ending: Ending, agent: string): Promise<void> {
  const store = openStore(project)
  const made = await store.create(newRun(project, { backend: agent }), newRequestId(), attemptOf().owner)
  let owner = new Owner({ project, run: await store.adopt(made.runId, made.token), programs, agent, onChild })
  let isOver = false
  void owner.over.then(() => {
    isOver = true
  })
  for (const one of steps) {
    await turns(one.turns)
    if (!isOver) give(owner, one)
    else if (one.command === 'resume') {
      const view = await expectEnded(store, made.runId)
      isOver = false
      owner = new Owner({ project, run: await next(store, made.runId, agent), programs, earlier: view, agent, onChild })
      void owner.over.then(() => {
        isOver = true
      })
    }
  }
  // Whatever came before: a stop ends it, or a pause once nothing is at work; and a run that has ended stays as it is.
  if (ending === 'stop') owner.attempt.stop('keep')
  else owner.attempt.pause()
  // One that never comes to its end runs into the time limit of the test.
  while (ending === 'pause' && !isOver) {
    owner.skipAll()
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await owner.over
  await expectEnded(store, made.runId)
  // A process that is left sleeps for longer than the test may last.
  while (leftOf(made.runId).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('no order of commands leaves a run without owner that looks alive, or a question that nobody can answer (P5)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 2 ** 20 }), fc.array(step, { maxLength: 14 }), endings, (seed, steps, ending) =>
      live(programOf(seed), steps, ending, 'simulated'),
    ),
    { numRuns: SEEDS, endOnFailure: true },
  )
}, 600_000)

test('and none leaves a child process behind (P5)', async () => {
  const shell = program(async ({ agent, parallel, gate }) =>
    parallel([
      () => agent('sleep 6000'),
      () => agent('sleep 6000 & sleep 6000'),
      () => agent('trap "" TERM; sleep 0.01; echo done'),
      () => agent('exit 3'),
      () => gate('Go on?'),
    ]),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), endings, (steps, ending) =>
      live({ main: shell, part: shell }, steps, ending, 'shell'),
    ),
    { numRuns: Math.ceil(SEEDS / 10), endOnFailure: true },
  )
  expect(children.length).toBeGreaterThan(0)
}, 600_000)
