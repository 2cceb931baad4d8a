import { describe, expect, test } from 'vitest'
import { type PlanOptions, planResume } from '../../main/engine/plan-resume.ts'
import type { Outcome } from '../../main/engine/ports.ts'
import type { ResumePlan } from '../../shared/run/plan.ts'
import { type Answer, dead, FakeExecutor, ok, promptOf } from './support/fake-executor.ts'
import { inThisThread, loadFrom, type MemoryAttemptOptions, type Program, program, SCRIPT, startAttempt } from './support/memory-attempt.ts'
import { INFO, MemoryJournal } from './support/memory-run.ts'

/** A journal after one attempt at this program. */
async function ran(
  first: Program,
  answer: Answer = (task) => ok(promptOf(task)),
  more: Partial<MemoryAttemptOptions> = {},
): Promise<MemoryJournal> {
  const journal = new MemoryJournal()
  const going = startAttempt(journal, first, { executor: new FakeExecutor(answer, 1), ...more })
  await Promise.race([going.done, going.killed])
  return journal
}

function plan(journal: MemoryJournal, second: Program, more: Partial<PlanOptions> = {}): Promise<ResumePlan> {
  return planResume({
    info: INFO,
    records: journal.records,
    get: async (value) => ('inline' in value ? value.inline : null),
    script: SCRIPT,
    sha256: INFO.source.sha256,
    limits: INFO.limits,
    backend: 'real',
    policy: 'content',
    from: null,
    hasSameBudget: true,
    startScript: inThisThread(second),
    loadChild: loadFrom({}),
    ...more,
  })
}

const chain = (...prompts: string[]): Program =>
  program(async ({ agent }) => {
    for (const prompt of prompts) await agent(prompt)
    return 'end'
  })

describe('a plan says what a resume will do', () => {
  test('of a finished run: everything is replayed, nothing starts, it is complete', async () => {
    const found = await plan(await ran(chain('a', 'b')), chain('a', 'b'))
    expect(found).toMatchObject({ attempt: 2, certainLive: [], notReached: [], inFlight: [], scriptChanged: false, complete: true })
    expect(found.replayed.map(({ title }) => title)).toEqual(['a', 'b'])
  })

  test('it writes nothing and starts nothing', async () => {
    const journal = await ran(chain('a'))
    const before = JSON.stringify(journal.records)
    await plan(journal, chain('a', 'b', 'c'))
    expect(JSON.stringify(journal.records)).toBe(before)
  })

  test('it stops at the first call that must run; results behind it are not reached yet', async () => {
    const found = await plan(await ran(chain('a', 'b', 'c', 'd')), chain('a', 'new', 'c', 'd'))
    expect(found.replayed.map(({ title }) => title)).toEqual(['a'])
    expect(found.certainLive).toMatchObject([{ title: 'new', why: 'prompt-changed', old: 'b', new: 'new' }])
    expect(found.notReached.map(({ title }) => title)).toEqual(['c', 'd'])
    expect([found.complete, found.estimate]).toEqual([false, { calls: 0, outputTokens: 100 }])
  })

  test('a changed script is named; one that fails in replay is the end of the plan', async () => {
    const journal = await ran(chain('a'))
    expect((await plan(journal, chain('a'), { sha256: 'b'.repeat(64) })).scriptChanged).toBe(true)
    expect(
      (
        await plan(
          journal,
          program(async () => {
            throw new Error('early')
          }),
        )
      ).replayed,
    ).toEqual([])
  })

  test('an unchanged script that asks for something else is named with both texts; a changed one, or another input, is not', async () => {
    const journal = await ran(chain('a', 'b', 'c', 'd'))
    const found = await plan(journal, chain('a', 'new', 'c', 'd'))
    expect(found.unexpected).toEqual([expect.stringMatching(/Call 2 was recorded as “b”\. Now it asks “new”\./)])
    for (const more of [{ sha256: 'b'.repeat(64) }, { args: 1 }, { hasSameBudget: false }])
      expect((await plan(journal, chain('a', 'new', 'c', 'd'), more)).unexpected).toEqual([])
    expect((await plan(journal, chain('a', 'b', 'c', 'd', 'e'))).unexpected).toEqual([])
  })

  test('results too large to hand over at the start are read when their turn comes', async () => {
    const large = (task: Parameters<Answer>[0]): Outcome => ok(promptOf(task).repeat(5000))
    const journal = await ran(chain('a', 'b'), large)
    const read: unknown[] = []
    const found = await plan(journal, chain('a', 'b'), {
      get: async (value) => {
        read.push(value)
        return 'inline' in value ? value.inline : null
      },
    })
    expect([found.complete, read.length]).toEqual([true, 2])
  })
})

describe('each call that runs has its reason', () => {
  test('it died, it is new, or a person chose it', async () => {
    const journal = await ran(chain('a', 'b'), (task) => (promptOf(task) === 'b' ? dead('refused') : ok('x')))
    expect((await plan(journal, chain('a', 'b'))).certainLive).toMatchObject([{ title: 'b', why: 'died-last-time' }])
    expect((await plan(journal, chain('a', 'b', 'c'), { from: 1 })).certainLive).toMatchObject([{ title: 'a', why: 'you-chose' }])
    expect((await plan(journal, chain('c'), { policy: 'none' })).certainLive).toMatchObject([{ title: 'c' }])
    const fresh = program(async ({ agent, parallel }) => parallel([() => agent('a'), () => agent('z', { label: 'zed' })]))
    expect((await plan(journal, fresh)).certainLive).toMatchObject([{ label: 'zed', why: 'new-call' }])
  })

  test('it was simulated, and a real agent is to run now', async () => {
    const journal = await ran(chain('a'), (task) => ({ ...ok(promptOf(task)), backend: 'simulated' }) as Outcome, {
      input: { backend: 'simulated' },
    })
    expect((await plan(journal, chain('a'))).certainLive).toMatchObject([{ title: 'a', why: 'was-simulated' }])
  })

  test('under prefix, a call before it changed', async () => {
    const both = (first: string): Program => program(async ({ agent, parallel }) => parallel([() => agent(first), () => agent('b')]))
    const found = await plan(await ran(both('a')), both('changed'), { policy: 'prefix' })
    expect(found.certainLive.map(({ title, why }) => [title, why])).toEqual([
      ['changed', 'prompt-changed'],
      ['b', 'earlier-call-changed'],
    ])
  })

  test('other options are told apart from another prompt, old and new side by side', async () => {
    const asks = (options: object): Program => program(async ({ agent }) => agent('a', options))
    const journal = await ran(asks({ label: 'l', model: 'haiku' }))
    expect((await plan(journal, asks({ label: 'l', model: 'opus', effort: 'high' }))).certainLive).toMatchObject([
      { why: 'options-changed', old: 'model: "haiku", effort: not given', new: 'model: "opus", effort: "high"' },
    ])
  })
})

describe('old and new are paired', () => {
  const labelled = (...pairs: [string, string][]): Program =>
    program(async ({ agent, parallel }) =>
      parallel(
        pairs.map(
          ([label, prompt]) =>
            () =>
              agent(prompt, { label }),
        ),
      ),
    )

  test('by label, whatever the order', async () => {
    const journal = await ran(labelled(['one', 'a'], ['two', 'b']))
    const found = await plan(journal, labelled(['two', 'B'], ['one', 'A']))
    expect(found.certainLive.map(({ label, old, new: now }) => [label, old, now])).toEqual([
      ['two', 'b', 'B'],
      ['one', 'a', 'A'],
    ])
  })

  test('not across labels or phases, and each old call once', async () => {
    const journal = await ran(labelled(['one', 'a']))
    expect((await plan(journal, labelled(['other', 'A']))).certainLive).toMatchObject([{ why: 'new-call' }])
    expect((await plan(journal, labelled(['one', 'A'], ['one', 'B']))).certainLive.map(({ why }) => why)).toEqual([
      'prompt-changed',
      'new-call',
    ])
    const phased = program(async ({ agent, phase }) => {
      phase('Later')
      return agent('A', { label: 'one' })
    })
    expect((await plan(journal, phased)).certainLive).toMatchObject([{ why: 'new-call' }])
  })

  test('without labels by their place in the phase', async () => {
    const both = (...prompts: string[]): Program =>
      program(async ({ agent, parallel }) => parallel(prompts.map((prompt) => () => agent(prompt))))
    const found = await plan(await ran(both('a', 'b', 'c')), both('a', 'B', 'c'))
    expect(found.certainLive).toMatchObject([{ title: 'B', why: 'prompt-changed', old: 'b', new: 'B' }])
    expect(found.replayed.map(({ title }) => title)).toEqual(['a', 'c'])
    const moved = await plan(await ran(both('a', 'b', 'c')), both('a', 'c', 'D'))
    expect(moved.certainLive).toMatchObject([{ title: 'D', why: 'new-call' }])
  })
})

describe('calls that were running when their owner died', () => {
  const asks = (options: object): Program => program(async ({ agent, parallel }) => parallel([() => agent('a', options), () => agent('b')]))

  /** Killed with the second call finished and the first one running. */
  async function cut(options: object): Promise<MemoryJournal> {
    const journal = new MemoryJournal()
    const executor = new FakeExecutor((task) => (promptOf(task) === 'b' ? ok('x') : null))
    startAttempt(journal, asks(options), { executor })
    while (journal.finished().size === 0) await new Promise((resolve) => setImmediate(resolve))
    return journal
  }

  test('are asked about, and planned as running', async () => {
    const found = await plan(await cut({}), asks({}))
    expect(found.inFlight).toMatchObject([{ callId: 1, title: 'a' }])
    expect(found.certainLive).toMatchObject([{ why: 'was-running' }])
  })

  test.each([{ agentType: 'Explore' }, { agentType: 'Plan' }, { isolation: 'worktree' }])(
    'but not those that may be repeated: %j',
    async (options) => {
      const found = await plan(await cut(options), asks(options))
      expect([found.inFlight, found.certainLive.length]).toEqual([[], 1])
    },
  )
})
