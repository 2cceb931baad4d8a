/** What every CallExecutor has to keep, whatever runs its agents. */
import { expect, test } from 'vitest'
import type { CallExecutor, CallTask, Outcome, TaskListener } from '../../../main/engine/ports.ts'

export interface ExecutorWorld {
  /** Answers a prompt with itself, after having said each of its words; `hang` never ends by itself, `die` dies. */
  executor: CallExecutor
  /** Prompts that were really started. */
  started: string[]
}

export function task(prompt: string, call = 1, generation = 1): CallTask {
  const id = `run.${call}.fingerpr.${generation}`
  const request = { prompt }
  return {
    id,
    runId: 'run',
    call,
    attempt: 1,
    generation,
    kind: 'agent',
    request,
    needs: [],
    workspace: null,
    timeoutMs: null,
    repeatable: false,
  }
}

function listener() {
  const told: string[] = []
  let end: (outcome: Outcome) => void = () => undefined
  const ended = new Promise<Outcome>((resolve) => {
    end = resolve
  })
  const on: TaskListener = {
    started: () => told.push('started'),
    event: ({ text }) => told.push(text),
    asked: ({ tool }) => told.push(`asked ${tool}`),
    answered: (question, answer) => told.push(`answered ${question} ${answer}`),
    ended: (outcome) => {
      told.push(outcome.kind)
      end(outcome)
    },
  }
  return { on, told, ended }
}

export function executorSuite(make: () => ExecutorWorld): void {
  test('has at least one slot', () => {
    expect(make().executor.slots).toBeGreaterThanOrEqual(1)
  })

  test('a task is told from its start to its one end', async () => {
    const { executor } = make()
    const { on, told, ended } = listener()
    await executor.accept([task('one two')])
    executor.attach(task('one two').id, on)
    expect(await ended).toMatchObject({ kind: 'ok', output: { inline: 'one two' } })
    expect(told).toEqual(['started', 'one', 'two', 'ok'])
  })

  test('asking twice is asking once, at once and after the end', async () => {
    const { executor, started } = make()
    await Promise.all([executor.accept([task('a'), task('a')]), executor.accept([task('a')])])
    const first = listener()
    executor.attach(task('a').id, first.on)
    await first.ended
    await executor.accept([task('a')])
    const again = listener()
    executor.attach(task('a').id, again.on)
    await again.ended
    expect(started).toEqual(['a'])
  })

  test('another generation of a call is another task', async () => {
    const { executor, started } = make()
    const tasks = [task('a', 1, 1), task('a', 1, 2)]
    await executor.accept(tasks)
    const both = tasks.map(({ id }) => {
      const one = listener()
      executor.attach(id, one.on)
      return one.ended
    })
    await Promise.all(both)
    expect(started).toEqual(['a', 'a'])
  })

  test('who attaches again, after its end too, is told the same from the start', async () => {
    const { executor } = make()
    await executor.accept([task('one two')])
    const [early, late] = [listener(), listener()]
    executor.attach(task('one two').id, early.on)
    const outcome = await early.ended
    executor.attach(task('one two').id, late.on)
    expect(await late.ended).toEqual(outcome)
    expect(late.told).toEqual(early.told)
  })

  test('nothing is told before attach has returned', async () => {
    const { executor } = make()
    await executor.accept([task('a')])
    const { on, told, ended } = listener()
    executor.attach(task('a').id, on)
    expect(told).toEqual([])
    await ended
  })

  test('a task that was never accepted can not be attached to', () => {
    expect(() => make().executor.attach(task('a').id, listener().on)).toThrow(/not known/)
  })

  test('a cancelled task ends once, as cancelled, and the others go on', async () => {
    const { executor } = make()
    const [hanging, other] = [listener(), listener()]
    await executor.accept([task('hang', 1), task('other', 2)])
    const handle = executor.attach(task('hang', 1).id, hanging.on)
    executor.attach(task('other', 2).id, other.on)
    await handle.tell({ t: 'cancel' })
    await handle.tell({ t: 'cancel' })
    expect(await hanging.ended).toEqual({ kind: 'cancelled' })
    expect((await other.ended).kind).toBe('ok')
    expect(hanging.told.filter((said) => said === 'cancelled')).toHaveLength(1)
  })

  test('cancelling what has ended changes nothing', async () => {
    const { executor } = make()
    const { on, told, ended } = listener()
    await executor.accept([task('a')])
    const handle = executor.attach(task('a').id, on)
    await ended
    await handle.tell({ t: 'cancel' })
    expect(told).toEqual(['started', 'a', 'ok'])
  })

  test('a death is an outcome with its reason, and crosses as JSON', async () => {
    const { executor } = make()
    const { on, ended } = listener()
    await executor.accept([task('die')])
    executor.attach(task('die').id, on)
    const outcome = await ended
    expect(outcome).toMatchObject({ kind: 'dead', reason: 'agent-error', retryable: true })
    expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome)
  })
}
