/** Workflows that call workflows, as their users run them: from the terminal, killed, changed, moved and not trusted. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ResumePlan } from '../../shared/run/plan.ts'
import { type RunDocument, TestProject } from '../support/reprise.ts'

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

const simulated = (...args: string[]): Promise<RunDocument> => project.json('run', ...args, '--agent', 'simulated')

/** Two calls in a row, both named after the args. */
const REVIEW = `export const meta = { name: 'review', phases: ['Look'] }
phase('Look')
const first = await agent('look at ' + args.item + ' [[delay:' + (20 + (args.item * 37) % 60) + ']]')
return [await agent('judge ' + args.item + ' after ' + first + ' [[delay:' + (20 + (args.item * 53) % 70) + ']]'), random()]
`

const FAN_OUT = `const seen = []
const items = await parallel(Array.from({ length: 10 }, (_, item) => async () => {
  const judged = await workflow('review', { item })
  seen.push(item)
  return [judged, await agent('sum up ' + item + ' after ' + seen.length)]
}))
return { items, seen }
`

describe('a run with ten children that is killed again and again', () => {
  test('resumes with just the calls that have no result', { timeout: 120_000 }, async () => {
    project.write('.claude/workflows/review.js', REVIEW)
    const script = project.write('fan-out.js', FAN_OUT)
    const isAgent = (runId: string): number => {
      const lines = readFileSync(project.journal(runId), 'utf8').split('\n')
      const openings = new Set(lines.flatMap((line) => (line.includes('"kind":"open-child"') ? [/"call":(\d+)/.exec(line)?.[1]] : [])))
      const results = lines.filter((line) => line.includes('"t":"result"'))
      return results.filter((line) => !openings.has(/"call":(\d+)/.exec(line)?.[1])).length
    }
    await project.killAt(project.start(['run', script, '--agent', 'simulated', '--concurrency', '4']), 16)
    const runId = project.runIds[0] ?? ''
    for (const kill of [22, 29, null]) {
      const saved = isAgent(runId)
      const plan = await project.json<ResumePlan>('plan', runId)
      expect(plan.replayed.length + plan.notReached.length).toBe(saved)
      expect(plan.childrenChanged).toEqual([])
      const before = project.started.length
      const going = project.start(['resume', runId, '--json'])
      const finished = kill === null ? await going.ended : await project.killAt(going, kill)
      const started = project.started.length - before
      expect(started).toBeLessThanOrEqual(isAgent(runId) - saved + 4)
      if (kill !== null) continue
      expect(started).toBe(30 - saved)
      const document = JSON.parse(finished.stdout) as RunDocument
      expect(document).toMatchObject({ status: 'completed', counts: { ok: 30, replayed: saved, live: 30 - saved } })
      expect((await project.json('resume', runId)).returnValue).toEqual(document.returnValue)
      expect(project.started.length - before).toBe(started)
    }
  })
})

test('two children at once, one that throws, and one that calls a further one (R27)', async () => {
  project.write('.claude/workflows/good.ts', `return 'good ' + (args as string)`)
  project.write('.claude/workflows/bad.js', `\n  null.x`)
  project.write('.claude/workflows/deep.js', `await workflow('good')`)
  const script = project.write(
    'all.js',
    `const good = await Promise.all([workflow('good', 'a'), workflow({ scriptPath: '.claude/workflows/good.ts' }, 'b')])
     const failures = []
     for (const name of ['bad', 'deep']) await workflow(name).catch((error) => failures.push(error.message))
     return { good, failures }`,
  )
  const { status, returnValue } = await simulated(script)
  expect(status).toBe('completed')
  expect(returnValue).toEqual({
    good: ['good a', 'good b'],
    failures: [
      expect.stringMatching(/^The workflow “bad” failed: TypeError: .* \(bad\.js:2:\d+\)$/),
      expect.stringMatching(/“deep” was called by a workflow, so it can call none itself.*\(deep\.js:1:7\)$/),
    ],
  })
})

test('an uncaught failure names the line that called the child, and the place in it', async () => {
  project.write('.claude/workflows/bad.js', `await agent('x')\n\nthrow new Error('boo')`)
  const { status, error } = await simulated(project.write('main.js', `\nawait workflow('bad')`))
  expect(status).toBe('failed')
  expect(error).toMatchObject({ code: 'script-error', line: 2, message: 'The workflow “bad” failed: Error: boo (bad.js:3:7)' })
})

test('what a child may not do is told with its file, line and column, and can be caught', async () => {
  project.write('.claude/workflows/broken.js', `const a = 1\nconst = 2`)
  project.write('.claude/workflows/imports.ts', `\nimport { x } from './x'\nreturn x`)
  const script = project.write(
    'main.js',
    `const told = []
     for (const name of ['broken', 'imports', 'missing', '../x']) await workflow(name).catch((error) => told.push([error.code, error.message]))
     return told`,
  )
  const { returnValue } = await simulated(script)
  expect(returnValue).toEqual([
    ['script-syntax', expect.stringMatching(/“broken” can't be opened: .*broken\.js:2:7: /)],
    ['not-self-contained', expect.stringMatching(/imports\.ts:2:1: `import` can't be used/)],
    ['workflow-unknown', expect.stringContaining('There is no workflow “missing” here')],
    ['name-invalid', expect.stringContaining('no workflow')],
  ])
})

test('a path or a link that leads out of the project is refused (R31)', async () => {
  const outside = join(project.outside, 'secret.js')
  writeFileSync(outside, `return 'secret'`)
  symlinkSync(outside, join(project.folder, 'link.js'))
  mkdirSync(join(project.folder, '.claude/workflows'))
  symlinkSync(outside, join(project.folder, '.claude/workflows/linked.js'))
  symlinkSync(project.outside, join(project.folder, 'folder'))
  const script = project.write(
    'main.js',
    `const told = []
     for (const one of [{ scriptPath: ${JSON.stringify(outside)} }, { scriptPath: '../secret.js' }, { scriptPath: 'link.js' }, { scriptPath: 'folder/secret.js' }, 'linked'])
       await workflow(one).then((value) => told.push(value), (error) => told.push(error.code))
     return told`,
  )
  const { returnValue } = await simulated(script)
  expect(returnValue).toEqual([
    'outside-project',
    expect.stringMatching(/^(file-missing|outside-project)$/),
    ...Array(3).fill('outside-project'),
  ])
})

describe('when the text of a child changes', () => {
  const main = `return [await agent('a'), await workflow('part', 1), await agent('b')]`
  const part = (word: string): string => `return '${word} ' + await agent('part ' + args)`

  test('the plan names it, the new text runs, nothing saved is started again, and both texts are kept', async () => {
    project.write('.claude/workflows/part.js', part('old'))
    const { runId, returnValue } = await simulated(project.write('main.js', main))
    const before = project.started.length
    project.write('.claude/workflows/part.js', part('new'))
    const plan = await project.json<ResumePlan>('plan', runId)
    expect(plan).toMatchObject({ childrenChanged: ['part'], scriptChanged: false, complete: true, certainLive: [] })
    expect(plan.replayed.map(({ title }) => title)).toEqual(['a', 'part 1', 'b'])
    const again = await project.json('resume', runId)
    expect(again.returnValue).toEqual((returnValue as string[]).map((text) => text.replace('old', 'new')))
    expect(again.counts).toMatchObject({ replayed: 3, live: 0 })
    expect(project.started.length).toBe(before)
    expect(readdirSync(join(project.runsFolder, runId, 'source'))).toHaveLength(3)
    expect((await project.json<ResumePlan>('plan', runId)).childrenChanged).toEqual([])
  })

  test('and when it is gone, the text that the run keeps is what runs', async () => {
    const path = project.write('.claude/workflows/part.js', part('kept'))
    const { runId, returnValue } = await simulated(project.write('main.js', main))
    rmSync(path)
    expect((await project.json<ResumePlan>('plan', runId)).childrenChanged).toEqual([])
    expect(await project.json('resume', runId)).toMatchObject({ status: 'completed', returnValue, counts: { replayed: 3, live: 0 } })
  })
})

test('an agent that only a workflow which the script names leaves to the person is asked for before anything starts', async () => {
  const child = project.write('.claude/workflows/asks.js', `return agent('look')`)
  const script = project.write('main.js', `return workflow('asks')`)
  const refused = await project.run(['run', script, '--yes'])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('asks.js leaves the agent to you')
  expect(project.runIds).toEqual([])
  expect(existsSync(child)).toBe(true)
  expect((await simulated(script)).status).toBe('completed')
})

describe('trust', () => {
  const shell = `return agent('echo done > by-child.txt', { agentType: 'shell' })`

  test('is asked once for a script and the workflows that it names, each pinned to its text', async () => {
    project.write('.claude/workflows/writes.js', shell)
    const script = project.write('main.js', `return workflow('writes')`)
    const refused = await project.run(['run', script])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('it calls the workflow “writes”')])
    expect(existsSync(join(project.folder, 'by-child.txt'))).toBe(false)
    expect((await project.json('run', script, '--yes')).status).toBe('completed')
    expect(existsSync(join(project.folder, 'by-child.txt'))).toBe(true)
    expect((await project.json('run', script)).status).toBe('completed')
    project.write('.claude/workflows/writes.js', `${shell} // changed`)
    expect((await project.run(['resume', 'last'])).stderr).toContain('it calls the workflow “writes”')
    expect((await project.json('resume', 'last', '--yes')).status).toBe('completed')
  })

  test('a child that no text names is refused in words, and nothing of it runs', async () => {
    project.write('.claude/workflows/writes.js', shell)
    const script = project.write('main.js', `return workflow(['wri', 'tes'].join('')).catch((error) => [error.code, error.message])`)
    const { returnValue } = await project.json('run', script, '--yes')
    expect(returnValue).toEqual(['not-trusted', expect.stringContaining('runs shell commands on this machine')])
    expect(existsSync(join(project.folder, 'by-child.txt'))).toBe(false)
  })
})

test('show lists the opening by the name of the child, and its calls in its phases', async () => {
  project.write('.claude/workflows/review.js', REVIEW)
  await simulated(project.write('main.js', `return workflow('review', { item: 1 })`))
  const { stdout, stderr } = await project.run(['show', 'last'])
  const shown = stdout + stderr
  expect(shown).toContain('review › Look')
  expect(shown).toMatch(/1 review\b/)
})
