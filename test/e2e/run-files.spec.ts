/** Runs in the real app: removed to the system's trash, pinned, kept short by a setting, and their calls acted on. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

const QUICK = `export const meta = { name: 'quick' }\nreturn agent('say it')\n`
const ASKS = `export const meta = { name: 'asks' }
const slow = agent('[[delay:600000]] slow', { label: 'slow' })
const asks = agent('[[ask:Write]] edit', { label: 'edit' })
return [await asks, await slow]\n`

test('a removed run lies in the system’s trash; a pinned one stays, also when the setting would let it go', async ({
  start,
  workflow,
  command,
  folders,
}) => {
  workflow('quick.ts', QUICK)
  for (let i = 0; i < 4; i++) expect(await command('run', 'quick', '--agent', 'simulated')).toBe(0)
  const { page, errors } = await start()
  const runs = () =>
    page.evaluate(async () => {
      const listed = await window.reprise.runs.list({ limit: 50 })
      if (!listed.ok) throw new Error(listed.error.message)
      return listed.value.runs.map(({ runId, number }) => ({ runId, number })).sort((a, b) => a.number - b.number)
    })
  await page.evaluate(async (project) => window.reprise.projects.open({ path: project }), folders.project)
  const [first, second, third, fourth] = await runs()
  const told = await page.evaluate(
    async ([pinned = '', gone = '']) => [
      await window.reprise.runs.pin({ runId: pinned, pinned: true }),
      await window.reprise.runs.remove({ runIds: [pinned, gone] }),
      await window.reprise.runs.remove({ runIds: [gone] }),
    ],
    [first?.runId ?? '', second?.runId ?? ''],
  )
  expect(told).toMatchObject([
    { ok: true },
    { ok: false, error: { code: 'run-pinned' } },
    { ok: true, value: { removed: [second?.runId] } },
  ])
  const trash = join(folders.home, '.local', 'share', 'Trash', 'files')
  expect(existsSync(join(trash, second?.runId ?? '', 'journal.jsonl'))).toBe(true)
  expect((await runs()).map(({ number }) => number)).toEqual([1, 3, 4])

  await page.evaluate(() => window.reprise.settings.set({ keepRuns: 1 }))
  await expect.poll(runs).toEqual([first, fourth])
  expect(readdirSync(trash).sort()).toEqual([second?.runId, third?.runId])
  expect(errors).toEqual([])
})

test('a call is skipped and an agent is answered from the window', async ({ start, workflow, folders }) => {
  workflow('asks.ts', ASKS)
  const { page } = await start()
  const done = await page.evaluate(async (project) => {
    const value = <T>(result: { ok: true; value: T } | { ok: false; error: { message: string } }): T => {
      if (!result.ok) throw new Error(result.error.message)
      return result.value
    }
    value(await window.reprise.projects.open({ path: project }))
    const { runs } = window.reprise
    const { runId } = value(await runs.launch({ target: { name: 'asks' }, requestId: crypto.randomUUID(), agent: 'simulated' }))
    const until = async (isSo: (view: Awaited<ReturnType<typeof look>>) => boolean) => {
      for (;;) {
        const view = await look()
        if (isSo(view)) return view
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    }
    const look = async () => value(await runs.show({ runId }))
    const open = (await until(({ allowedActions }) => allowedActions.includes('answer'))).calls.find(({ label }) => label === 'edit')
    const question = open?.questions?.[0]?.question ?? ''
    const told = [
      await runs.retry({ runId, callId: 1 }),
      await runs.answer({ runId, question, answer: 'allow-once' }),
      await runs.answer({ runId, question, answer: 'deny' }),
      await runs.skip({ runId, callId: 1 }),
    ].map(value)
    await until(({ endedAt }) => endedAt !== null)
    return { told, value: value(await runs.value({ runId })) }
  }, folders.project)
  expect(done).toEqual({ told: ['accepted', 'accepted', 'ended', 'accepted'], value: { value: ['[simulated] edit', null] } })
})
