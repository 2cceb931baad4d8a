import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Command, CommandEntry } from '../../main/engine/ports.ts'
import { openStore } from '../../main/store/run-store.ts'
import { attempt, COUNTS, completed, deadOwner, fileOf, opened, startedRun } from './run-fixtures.ts'

const command = (id: string, body: Command = { kind: 'stop' }): CommandEntry => ({ id, by: 'test', body })

test('a command of another process reaches the owner as it was sent, and the sender learns the outcome', async () => {
  const { project, store, runId, run } = await startedRun()
  const stop = new AbortController()
  const bodies: Command[] = [
    { kind: 'skip', call: 3 },
    { kind: 'decide', call: 4, choice: 'approve', note: 'fine' },
    { kind: 'answer', question: 'q', answer: 'deny' },
  ]
  const sent = (async () => {
    const outcomes = []
    for (const [i, body] of bodies.entries()) outcomes.push(await openStore(project).inbox.post(runId, command(`c${i}`, body), 20_000))
    stop.abort()
    return outcomes
  })()
  const taken: CommandEntry[] = []
  for await (const { done, ...entry } of store.inbox.take(runId, stop.signal)) {
    taken.push(entry)
    await run.append([{ t: 'command', id: entry.id, outcome: entry.body.kind === 'answer' ? 'stale' : 'accepted' }])
    await done()
  }
  expect(await sent).toEqual(['accepted', 'accepted', 'stale'])
  expect(taken).toEqual(bodies.map((body, i) => command(`c${i}`, body)))
  expect(readdirSync(fileOf(project, runId, 'commands'))).toEqual([])
})

test('the same command twice is applied once', async () => {
  const { store, runId, run } = await startedRun()
  const stop = new AbortController()
  const posts = Promise.all([1, 2].map(() => store.inbox.post(runId, command('same'), 20_000))).finally(() => stop.abort())
  let applied = 0
  for await (const entry of store.inbox.take(runId, stop.signal)) {
    applied += 1
    await run.append([{ t: 'command', id: entry.id, outcome: 'accepted' }])
    await entry.done()
  }
  expect([await posts, applied]).toEqual([['accepted', 'accepted'], 1])
  expect(await store.inbox.post(runId, command('same'), 20_000)).toBe('repeated')
})

test('a run that ended, or whose owner is dead, takes no commands', async () => {
  const { project, store, runId, run } = await startedRun()
  await run.append([completed()])
  expect(await store.inbox.post(runId, command('late'), 20_000)).toBe('ended')
  const dead = await startedRun(deadOwner())
  expect(await dead.store.inbox.post(dead.runId, command('late'), 20_000)).toBe('ended')
  expect([readdirSync(fileOf(project, runId, 'commands')), readdirSync(fileOf(dead.project, dead.runId, 'commands'))]).toEqual([[], []])
})

test('a run that ends while the command waits says so', async () => {
  const { project, store, runId, run } = await startedRun()
  const posted = store.inbox.post(runId, command('too late'), 20_000)
  await run.append([{ t: 'end', attempt: 1, end: { status: 'killed' }, counts: COUNTS }])
  expect(await posted).toBe('ended')
  expect(readdirSync(fileOf(project, runId, 'commands'))).toEqual([])
})

test('an owner that does not answer is told as such, and does not do later what was reported as not done', async () => {
  const { project, store, runId } = await startedRun()
  expect(await store.inbox.post(runId, command('unheard'), 1)).toBe('no-answer')
  expect(readdirSync(fileOf(project, runId, 'commands'))).toEqual([])
})

test('commands for an earlier attempt, and files that are no command, are not applied to the next one', async () => {
  const { project, store, runId } = await startedRun(deadOwner())
  const folder = fileOf(project, runId, 'commands')
  writeFileSync(join(folder, '01AAAAAAAAAAAAAAAAAAAAAAAA.json'), JSON.stringify({ ...command('old'), attempt: 1 }))
  writeFileSync(join(folder, '01BBBBBBBBBBBBBBBBBBBBBBBB.json'), '{"id":"half')
  opened(await store.open(runId, attempt()))
  expect(readdirSync(folder)).toEqual([])
  const stop = new AbortController()
  const taking = store.inbox.take(runId, stop.signal)[Symbol.asyncIterator]()
  const next = taking.next()
  writeFileSync(join(folder, '01CCCCCCCCCCCCCCCCCCCCCCCC.json'), JSON.stringify({ ...command('new'), attempt: 2 }))
  expect((await next).value).toMatchObject({ id: 'new', body: { kind: 'stop' } })
  stop.abort()
  expect((await taking.next()).done).toBe(true)
})
