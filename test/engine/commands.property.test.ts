/** Whatever a person does to a run, in whatever order and however it meets what is just finishing (P5). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { familyOf, type ProcessId } from '../../main/agents/process-tree.ts'
import type { Command, CommandEntry, OpenRun } from '../../main/engine/ports.ts'
import { obey } from '../../main/host/obey.ts'
import { type LocalRunStore, openStore } from '../../main/store/run-store.ts'
import { assertNever } from '../../shared/assert-never.ts'
import type { RunView } from '../../shared/run/view.ts'
import { bundled, type Claimant, claimant } from '../store/other-process.ts'
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
const PATIENCE: Step = { command: 'nothing', turns: 25, which: 0 }
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

/** The command of a step as another process would post it; null for what only the owner's own process can do. */
function commandOf({ command, which }: Step, view: RunView | null): Command | null {
  const calls = view?.calls ?? []
  const call = calls[which % Math.max(1, calls.length)]?.callId ?? which
  const questions = calls.flatMap((one) => one.questions ?? [])
  switch (command) {
    case 'stop':
    case 'pause':
      return { kind: command }
    case 'skip':
    case 'retry':
      return { kind: command, call }
    case 'answer':
      return { kind: 'answer', question: questions[which % Math.max(1, questions.length)]?.question ?? 'none', answer: 'deny' }
    case 'decide': {
      const gate = calls.find((one) => one.kind === 'gate')?.callId ?? 0
      return { kind: 'decide', call: gate, choice: which % 3 === 0 ? 'nonsense' : 'approve', ...(which % 4 === 0 && { seen: 'another' }) }
    }
    case 'stop-now':
    case 'resume':
    case 'nothing':
      return null
    default:
      return assertNever(command)
  }
}

/** Everything reaches the run through its folder, from another process. */
async function posted(project: string, programs: Programs, steps: readonly Step[], sender: Claimant): Promise<void> {
  const store = openStore(project)
  const made = await store.create(newRun(project, { backend: 'simulated' }), newRequestId(), attemptOf().owner)
  const own = (run: OpenRun, earlier: RunView | null) => {
    const owner = new Owner({ project, run, programs, earlier, agent: 'simulated' })
    const over = new AbortController()
    const obeying = obey(store.inbox, made.runId, owner.attempt, over.signal)
    const state = { owner, isOver: false }
    const ended = owner.over.then(() => {
      state.isOver = true
      over.abort()
      return obeying
    })
    return Object.assign(state, { ended })
  }
  let now = own(await store.adopt(made.runId, made.token), null)
  let sent = 0
  const told = new Map<string, string>()
  const send = async (body: Command): Promise<void> => {
    sent += 1
    const entry: CommandEntry = { id: `c${sent}`, by: 'another process', body }
    told.set(entry.id, await sender.claim(project, `${made.runId}\t${JSON.stringify(entry)}`))
  }
  for (const one of steps) {
    await turns(one.turns)
    if (one.command === 'resume' && now.isOver) {
      await now.ended
      const view = await expectEnded(store, made.runId)
      now = own(await next(store, made.runId, 'simulated'), view)
    }
    const body = commandOf(one, now.owner.view)
    if (body !== null) await send(body)
  }
  await send({ kind: 'stop' })
  await now.ended
  await expectEnded(store, made.runId)
  // Nobody who asked was left without an answer, and who was told that it was done finds it written.
  const { records } = await store.read(made.runId)
  const written = new Map(records.flatMap((record) => (record.t === 'command' ? [[record.id, record.outcome] as const] : [])))
  for (const [id, outcome] of told) {
    expect(['accepted', 'stale', 'unseen', 'ended']).toContain(outcome)
    if (outcome !== 'ended') expect(written.get(id)).toBe(outcome)
  }
}

test('nor does any order of commands that another process leaves in the folder of the run, and each of them is answered (P5)', async () => {
  const sender = claimant(await bundled('test/engine/support/sender.ts'))
  try {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 2 ** 20 }), fc.array(step, { maxLength: 10 }), async (seed, steps) => {
        const project = mkdtempSync(join(tmpdir(), 'reprise-commands-'))
        try {
          await posted(project, programOf(seed), steps, sender)
        } finally {
          rmSync(project, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 })
        }
      }),
      { numRuns: Math.ceil(SEEDS / 5), endOnFailure: true },
    )
  } finally {
    sender.end()
  }
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
    // One that is let work for a while, so that there are children in any case.
    { numRuns: Math.ceil(SEEDS / 10), endOnFailure: true, examples: [[Array<Step>(20).fill(PATIENCE), 'pause']] },
  )
  expect(children.length).toBeGreaterThan(0)
}, 600_000)
