import { expect, test } from 'vitest'
import type { RunEvent } from '../../shared/run/events.ts'
import { FakeExecutor, ok, promptOf } from './support/fake-executor.ts'
import { type Program, program, startAttempt, valueOf } from './support/memory-attempt.ts'
import { MemoryJournal } from './support/memory-run.ts'

const answering = (): FakeExecutor => new FakeExecutor((task) => ok(`r ${promptOf(task)}`))
const warnings = (events: RunEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'log' && event.level === 'warning' ? [event.text] : []))

/** Asks, after a first call, for what the world outside of it says just then. */
function leaky(world: { says: string }): Program {
  return program(async ({ agent }) => {
    await agent('first')
    await agent(world.says, { label: 'ask' })
    return agent('last')
  })
}

test('an unchanged script that asks for something else is named with its call and both texts, and goes on live', async () => {
  const world = { says: 'It is Monday' }
  const journal = new MemoryJournal()
  await startAttempt(journal, leaky(world), { executor: answering() }).done
  world.says = 'It is Tuesday'
  const executor = answering()
  const going = startAttempt(journal, leaky(world), { executor })
  expect(valueOf(await going.done)).toBe('r last')
  expect(executor.prompts).toEqual(['It is Tuesday'])
  expect(warnings(going.events)).toEqual([
    expect.stringMatching(
      /the script is unchanged, but call 4 “ask” .*Call 2 was recorded as “It is Monday”\. Now it asks “It is Tuesday”\./,
    ),
  ])
})

test('a changed script, another input, a new budget or a changed child ask for other things by right', async () => {
  const world = { says: 'a' }
  const again = async (options: Partial<Parameters<typeof startAttempt>[2]>): Promise<string[]> => {
    const journal = new MemoryJournal()
    world.says = 'a'
    const first = await startAttempt(journal, leaky(world), { executor: answering() }).done
    world.says = 'b'
    const going = startAttempt(journal, leaky(world), { executor: answering(), earlier: first, ...options })
    await going.done
    return warnings(going.events)
  }
  expect(await again({ attempt: { script: 'b'.repeat(64) } })).toEqual([])
  expect(await again({ attempt: { args: { day: 'b' } } })).toEqual([])
  expect(await again({ limits: { budget: 1e6 } })).toEqual([])
  expect(await again({})).toHaveLength(1)

  const child = { text: 'one' }
  const caller = program(async ({ workflow }) => workflow('part'))
  const part: Program = program(async ({ agent }) => agent(`in ${child.text}`))
  const journal = new MemoryJournal()
  const options = {
    children: { part },
    loadChild: async () => ({
      prepared: { code: 'part', edits: [], file: 'part.js' },
      sha256: child.text,
      text: child.text,
      ext: 'js' as const,
    }),
  }
  await startAttempt(journal, caller, { executor: answering(), ...options }).done
  child.text = 'two'
  const going = startAttempt(journal, caller, { executor: answering(), ...options })
  await going.done
  expect(warnings(going.events)).toEqual([])
})

test('a script that differs all over is told of a few times only', async () => {
  const world = { says: 'a' }
  const wide = program(async ({ agent, parallel }) => parallel(Array.from({ length: 20 }, (_, i) => () => agent(`${world.says} ${i}`))))
  const journal = new MemoryJournal()
  await startAttempt(journal, wide, { executor: answering() }).done
  world.says = 'b'
  const going = startAttempt(journal, wide, { executor: answering() })
  await going.done
  expect(warnings(going.events)).toHaveLength(6)
  expect(warnings(going.events).at(-1)).toMatch(/^Further calls differ/)
})
