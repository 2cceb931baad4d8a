import { describe, expect, test } from 'vitest'
import { sha256 } from '../../main/engine/fingerprint.ts'
import type { LoadChild } from '../../main/engine/ports.ts'
import { AppError } from '../../shared/errors.ts'
import type { JournalRecord } from '../../shared/run/record.ts'
import { FakeExecutor, ok, promptOf } from './support/fake-executor.ts'
import { type ChildPrograms, loadFrom, program, startAttempt, valueOf } from './support/memory-attempt.ts'
import { MemoryJournal } from './support/memory-run.ts'

const answering = (slots = 64): FakeExecutor => new FakeExecutor((task) => ok(`r ${promptOf(task)}`), slots)

const children: ChildPrograms = {
  lint: program(async ({ agent, args }) => `lint: ${String(await agent(`lint ${JSON.stringify(args)}`))}`),
  broken: program(async ({ agent }) => {
    await agent('before')
    throw new RangeError('no more')
  }),
  nested: program(async ({ workflow }) => workflow('lint')),
  phased: program(async ({ agent, phase }) => {
    phase('Look')
    await agent('look')
    return agent('elsewhere', { phase: 'There' })
  }),
}

const openings = (journal: MemoryJournal): JournalRecord[] =>
  journal.records.filter((record) => record.t === 'call' && record.kind === 'open-child')

describe('workflow() (R27)', () => {
  test('runs two children at once, each with its own args, and gives what they return', async () => {
    const both = program(async ({ workflow }) => Promise.all([workflow('lint', { part: 1 }), workflow('lint', { part: 2 })]))
    const executor = answering()
    const view = await startAttempt(new MemoryJournal(), both, { executor, children }).done
    expect(valueOf(view)).toEqual(['lint: r lint {"part":1}', 'lint: r lint {"part":2}'])
    expect(executor.most).toBe(2)
    expect(view.counts).toMatchObject({ ok: 2, live: 2, replayed: 0 })
  })

  test('a second level is refused with words, and the run goes on', async () => {
    const twice = program(async ({ workflow }) => workflow('nested').catch((error: unknown) => String(error)))
    const view = await startAttempt(new MemoryJournal(), twice, { executor: answering(), children }).done
    expect(view.status).toBe('completed')
    expect(valueOf(view)).toContain('“nested” was called by a workflow, so it can call none itself')
  })

  test('a child that throws is caught like any error, with its name and its cause', async () => {
    const caught = program(async ({ workflow }) => {
      try {
        return await workflow('broken')
      } catch (error) {
        const { message, code, cause } = error as Error & { code: string }
        return [error instanceof Error, code, message, cause instanceof RangeError]
      }
    })
    const view = await startAttempt(new MemoryJournal(), caught, { executor: answering(), children }).done
    expect(valueOf(view)).toEqual([true, 'script-error', 'The workflow “broken” failed: RangeError: no more', true])
  })

  test('one that nobody catches fails the run; one in parallel() is one null', async () => {
    const uncaught = await startAttempt(
      new MemoryJournal(),
      program(async ({ workflow }) => workflow('broken')),
      {
        executor: answering(),
        children,
      },
    ).done
    expect(uncaught).toMatchObject({ status: 'failed', error: { code: 'script-error' } })
    const fan = program(async ({ workflow, parallel }) => parallel([() => workflow('broken'), () => workflow('lint')]))
    expect(valueOf(await startAttempt(new MemoryJournal(), fan, { executor: answering(), children }).done)).toEqual([
      null,
      'lint: r lint undefined',
    ])
  })

  test.each([
    [undefined, 'a name or { scriptPath'],
    ['', 'a name or { scriptPath'],
    [{ scriptPath: 7 }, 'a name or { scriptPath'],
  ])('%j names no workflow', async (reference, words) => {
    const view = await startAttempt(
      new MemoryJournal(),
      program(async ({ workflow }) => workflow(reference as string)),
      {
        executor: answering(),
        children,
      },
    ).done
    expect(view).toMatchObject({ status: 'failed', error: { code: 'bad-call' } })
    expect(view.error?.message).toContain(words)
  })

  test('a workflow that can not be opened is an error to catch, recorded as refused, and tried again on resume', async () => {
    const journal = new MemoryJournal()
    const either = program(async ({ workflow, agent }) => workflow('missing').catch(() => agent('instead')))
    const view = await startAttempt(journal, either, { executor: answering(), children }).done
    expect(valueOf(view)).toBe('r instead')
    expect(view.calls.map(({ kind, label, status, reason }) => [kind, label, status, reason])).toEqual([
      ['open-child', 'missing', 'dead', 'refused'],
      ['agent', null, 'ok', null],
    ])
    expect(view.counts).toMatchObject({ ok: 1, dead: 0, live: 1 })
    const there = { ...children, missing: program(async () => 'here') }
    const executor = answering()
    expect(valueOf(await startAttempt(journal, either, { executor, children: there }).done)).toBe('here')
    expect(executor.tasks).toEqual([])
  })

  test('args are a private copy on both sides', async () => {
    const mutating = {
      mutate: program(async ({ args }) => {
        const list = args as number[]
        list.push(9)
        return list
      }),
    }
    const journal = new MemoryJournal()
    const body = program(async ({ workflow }) => {
      const list = [1]
      const going = workflow('mutate', list)
      list.push(2)
      return [await going, await workflow('mutate', list), list]
    })
    const view = await startAttempt(journal, body, { executor: answering(), children: mutating }).done
    expect(valueOf(view)).toEqual([
      [1, 9],
      [1, 2, 9],
      [1, 2],
    ])
    expect(openings(journal)).toMatchObject([{ params: { args: [1] } }, { params: { args: [1, 2] } }])
  })

  test('phases of a child stand behind its name, and the one of the script stays current', async () => {
    const body = program(async ({ workflow, agent, phase }) => {
      phase('Main')
      await workflow('phased')
      return agent('after')
    })
    const view = await startAttempt(new MemoryJournal(), body, { executor: answering(), children }).done
    expect(view.calls.map(({ title, phase }) => [title, phase])).toEqual([
      ['phased', 'Main'],
      ['look', 'phased › Look'],
      ['elsewhere', 'phased › There'],
      ['after', 'Main'],
    ])
    expect(view.phases.map(({ title, status }) => [title, status])).toEqual([
      ['Main', 'ended'],
      ['phased › Look', 'ended'],
      ['phased › There', 'ended'],
    ])
  })

  test('each child draws its own random numbers, the same ones again on replay', async () => {
    const dice = { dice: program(async ({ random, agent }) => [random(), await agent('x'), random()]) }
    const body = program(async ({ workflow, random }) => [
      random(),
      ...(await Promise.all([workflow('dice', 1), workflow('dice', 2)])),
      random(),
    ])
    const journal = new MemoryJournal()
    const first = valueOf(await startAttempt(journal, body, { executor: answering(), children: dice }).done)
    const second = valueOf(await startAttempt(journal, body, { executor: answering(), children: dice }).done)
    expect(second).toEqual(first)
    const numbers = JSON.stringify(first).match(/0\.\d+/g) ?? []
    expect([numbers.length, new Set(numbers).size]).toEqual([6, 6])
  })

  test('the script holds no slot while it waits for a child', async () => {
    const body = program(async ({ workflow }) => workflow('lint', 'x'))
    const view = await startAttempt(new MemoryJournal(), body, { executor: answering(1), limits: { concurrency: 1 }, children }).done
    expect(view.status).toBe('completed')
  })

  test('a spent limit inside a child ends the run, whoever catches it', async () => {
    const greedy = {
      greedy: program(async ({ agent }) => {
        for (let i = 0; i < 9; i += 1) await agent(`g${i}`)
      }),
    }
    const body = program(async ({ workflow, parallel }) => parallel([() => workflow('greedy').catch(() => 'caught')]))
    const view = await startAttempt(new MemoryJournal(), body, { executor: answering(), limits: { maxAgents: 3 }, children: greedy }).done
    expect(view).toMatchObject({ status: 'failed', error: { code: 'call-limit' }, counts: { ok: 3 } })
  })
})

describe('a child that nobody waits for', () => {
  test('is abandoned with the script, its opening too, and starts only when nothing else moves on resume', async () => {
    const never: LoadChild = () => new Promise(() => undefined)
    const body = program(async ({ workflow, agent }) => {
      void workflow('lint')
      return agent('main')
    })
    const journal = new MemoryJournal()
    const first = await startAttempt(journal, body, { executor: answering(), children, loadChild: never }).done
    expect(first.calls.map(({ kind, status }) => [kind, status])).toEqual([
      ['open-child', 'abandoned'],
      ['agent', 'ok'],
    ])
    const executor = answering()
    const second = await startAttempt(journal, body, { executor, children, loadChild: loadFrom(children) }).done
    expect([valueOf(second), executor.tasks]).toEqual(['r main', []])
  })

  test('has its agents ended and recorded as abandoned', async () => {
    const slow = { slow: program(async ({ agent }) => agent('slow')) }
    const body = program(async ({ workflow, agent }) => {
      void workflow('slow')
      await agent('one')
      return agent('two')
    })
    const executor = new FakeExecutor((task) => (promptOf(task) === 'slow' ? null : ok('fast')))
    const view = await startAttempt(new MemoryJournal(), body, { executor, children: slow }).done
    expect(view.calls.map(({ title, status }) => [title, status])).toContainEqual(['slow', 'abandoned'])
    expect(view.counts).toMatchObject({ ok: 2, abandoned: 1 })
  })
})

describe('on resume', () => {
  const body = program(async ({ workflow, agent }) => [await agent('a'), await workflow('lint', 'x'), await agent('b')])

  test('a child runs again against the same history and starts nothing that is saved', async () => {
    const journal = new MemoryJournal()
    const first = await startAttempt(journal, body, { executor: answering(), children }).done
    const executor = answering()
    const again = await startAttempt(journal, body, { executor, earlier: first, children }).done
    expect([valueOf(again), executor.tasks]).toEqual([valueOf(first), []])
    expect(again.counts).toMatchObject({ ok: 3, replayed: 3, live: 0 })
    expect(again.calls.map(({ kind, source }) => [kind, source])).toContainEqual(['open-child', 'replayed'])
    expect(openings(journal)).toHaveLength(1)
  })

  test('the text that is there now runs, is recorded once, and the opening keeps its place', async () => {
    const journal = new MemoryJournal()
    await startAttempt(journal, body, { executor: answering(), children }).done
    const changed: LoadChild = async (reference, kept) => ({
      ...(await loadFrom(children)(reference, kept)),
      text: 'changed',
      sha256: sha256('changed'),
    })
    const results = (): number => journal.records.filter((record) => record.t === 'result').length
    const before = results()
    for (const _ of [1, 2]) {
      const executor = answering()
      const view = await startAttempt(journal, body, { executor, children, loadChild: changed }).done
      expect([valueOf(view), executor.tasks]).toEqual([['r a', 'lint: r lint "x"', 'r b'], []])
      expect(results() - before).toBe(1)
    }
  })

  test('a child whose text can not run any more fails where it started before', async () => {
    const journal = new MemoryJournal()
    const caught = program(async ({ workflow, agent }) => [
      await agent('a'),
      await workflow('lint').catch(() => 'refused'),
      await agent('b'),
    ])
    await startAttempt(journal, caught, { executor: answering(), children }).done
    const executor = answering()
    const refusing: LoadChild = async () => {
      throw new AppError('script-syntax', '/p/lint.js:3:1: Line 3 can’t be read')
    }
    const view = await startAttempt(journal, caught, { executor, children, loadChild: refusing }).done
    expect([valueOf(view), executor.tasks]).toEqual([['r a', 'refused', 'r b'], []])
    expect(view.calls.find(({ kind }) => kind === 'open-child')).toMatchObject({
      status: 'dead',
      source: 'replayed',
      detail: expect.stringContaining('lint.js:3:1'),
    })
  })
})
