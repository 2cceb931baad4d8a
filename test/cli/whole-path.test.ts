/** The whole path, as its users walk it: a workflow runs from the terminal, dies, and goes on. */
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ResumePlan } from '../../shared/run/plan.ts'
import { TestProject, until } from '../support/reprise.ts'

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

/** Prompts depend on what finished before, so that a wrong order of deliveries asks for something new. */
const FAN_OUT = `export const meta = { name: 'fan-out', phases: ['Find', 'Check'] }
phase('Find')
const seen = []
const note = (name) => (value) => { seen.push(name); return value }
const found = await parallel(Array.from({ length: 10 }, (_, i) => () =>
  agent(\`find \${i} [[delay:\${40 + (i * 37) % 90}]]\`, { label: 'find ' + i }).then(note(i))))
phase('Check')
const checked = await pipeline(found,
  (one, _, i) => agent(\`check \${i} \${one} after \${seen.length} \${seen.slice(-2)} [[delay:\${30 + (i * 53) % 70}]]\`).then(note('c' + i)),
  async (one, _, i) => (await parallel([0, 1, 2].map((v) => () =>
    agent(\`vote \${v} on \${i} \${one} after \${seen.length} [[delay:\${20 + (i * v * 31) % 60}]]\`)))).filter(Boolean).length)
return { checked, seen }
`

describe('a run that is killed again and again', () => {
  test('resumes with just what the plan said, counted where agents are really started', { timeout: 120_000 }, async () => {
    const script = project.write('fan-out.js', FAN_OUT)
    const run = project.start(['run', script, '--agent', 'simulated', '--concurrency', '8'])
    expect((await project.killAt(run, 18)).signal).toBe('SIGKILL')
    const runId = project.runIds[0] ?? ''
    for (const kill of [27, 36, null]) {
      const results = project.results(runId)
      const plan = await project.json<ResumePlan>('plan', runId)
      expect(plan.replayed.length + plan.notReached.length).toBe(results)
      // new-call: the kill fell between a result and the calls that the script makes of it
      const reasons = ['was-running', 'no-saved-result', 'new-call']
      expect(plan.certainLive.filter(({ why }) => !reasons.includes(why))).toEqual([])
      expect(plan.certainLive.length).toBeGreaterThan(0)
      const before = project.started.length
      const going = project.start(['resume', runId, '--json'])
      const finished = kill === null ? await going.ended : await project.killAt(going, kill)
      const started = project.started.slice(before)
      const made = project.results(runId) - results
      expect(started.length).toBeGreaterThanOrEqual(made)
      expect(started.length).toBeLessThanOrEqual(made + 8)
      if (kill !== null) continue
      expect(started.length).toBe(50 - results)
      const document = JSON.parse(finished.stdout) as { status: string; returnValue: { checked: number[]; seen: unknown[] } }
      expect(document.status).toBe('completed')
      expect(document.returnValue.checked).toEqual(Array(10).fill(3))
      expect(document.returnValue.seen).toHaveLength(20)
    }
  })

  test('is listed as interrupted, never as running (R10)', async () => {
    const script = project.write('fan-out.js', FAN_OUT)
    await project.killAt(project.start(['run', script, '--agent', 'simulated', '--concurrency', '4']), 3)
    const rows = await project.json<{ status: string }[]>('list')
    expect(rows.map((row) => row.status)).toEqual(['interrupted'])
    const shown = await project.run(['show', 'last'])
    expect(shown.stdout + shown.stderr).toContain('results are saved')
  })
})

test('a completed run with race losers replays without starting anything and returns the same (R2)', async () => {
  const script = project.write(
    'race.js',
    `const first = await Promise.race([agent('fast'), agent('slow [[delay:400]]')])
     void agent('nobody waits [[delay:500]]')
     return { first, then: await agent('after ' + first) }`,
  )
  const first = await project.json('run', script, '--agent', 'simulated', '--concurrency', '4')
  expect(first).toMatchObject({ status: 'completed', counts: { ok: 2, abandoned: 2, live: 4 } })
  const before = project.started.length
  const again = await project.json('resume', 'last')
  expect(again).toMatchObject({ status: 'completed', returnValue: first.returnValue, counts: { live: 2, replayed: 2, abandoned: 2 } })
  expect(project.started.length).toBe(before)
})

test('an early call that died is tried again on resume, everything unchanged is reused (R3)', async () => {
  const script = project.write(
    'dies.js',
    `const early = await agent('early [[die-once:refused]]')
     const rest = await parallel([1, 2, 3].map((n) => () => agent('rest ' + n)))
     return { early, rest }`,
  )
  const died = await project.run(['run', script, '--agent', 'simulated', '--json'])
  expect(died.code).toBe(3)
  expect(JSON.parse(died.stdout)).toMatchObject({ status: 'completed', counts: { ok: 3, dead: 1 }, returnValue: { early: null } })
  const before = project.started.length
  const again = await project.run(['resume', 'last', '--json'])
  expect(again.code).toBe(0)
  expect(JSON.parse(again.stdout)).toMatchObject({ counts: { ok: 4, dead: 0, replayed: 3, live: 1 } })
  expect(project.started.slice(before)).toEqual(['early [[die-once:refused]]'])
})

test('a journal cut in the middle of a character, with NULs inside, keeps every good record (R4)', async () => {
  const script = project.write(
    'umlauts.js',
    `return parallel([1, 2, 3, 4].map((n) => () => agent('Grüße ' + n + ' [[text:größer ' + n + ']]')))`,
  )
  const { runId, returnValue } = await project.json('run', script, '--agent', 'simulated', '--concurrency', '1')
  const path = project.journal(runId)
  const bytes = readFileSync(path)
  const lines = bytes.toString('latin1').split('\n')
  const lastResult = lines.findLastIndex((line) => line.includes('"t":"result"'))
  const head = Buffer.from(`${lines.slice(0, lastResult).join('\n')}\n`, 'latin1')
  const torn = Buffer.from(lines[lastResult] ?? '', 'latin1')
  const umlaut = torn.indexOf(Buffer.from('ö'))
  writeFileSync(path, Buffer.concat([head, Buffer.alloc(300), Buffer.from('\n'), torn.subarray(0, umlaut + 1)]))
  const before = project.started.length
  const again = await project.json('resume', runId)
  expect(again).toMatchObject({ status: 'completed', returnValue, counts: { replayed: 3, live: 1 } })
  expect(project.started.length - before).toBe(1)
  const full = await project.json('resume', runId)
  expect(full).toMatchObject({ returnValue, counts: { replayed: 4, live: 0 } })
})

test('a last line that lacks only its newline is whole again', async () => {
  const script = project.write('one.js', `return agent('one')`)
  const { runId } = await project.json('run', script, '--agent', 'simulated')
  const path = project.journal(runId)
  truncateSync(path, readFileSync(path).length - 1)
  const before = project.started.length
  expect(await project.json('resume', runId)).toMatchObject({ status: 'completed', counts: { replayed: 1, live: 0 } })
  expect(project.started.length).toBe(before)
})

describe('args reach the script as given (R7)', () => {
  const cases: [string, string[], string][] = [
    ['an object', ['--args', '{"a":[1,{"b":null}]}'], 'object {"a":[1,{"b":null}]}'],
    ['an array', ['--args', '[1,"2"]'], 'object [1,"2"]'],
    ['a number', ['--args', '7'], 'number 7'],
    ['null', ['--args', 'null'], 'object null'],
    ['a text', ['--args', '"GO"'], 'string "GO"'],
    ['text that looks like JSON', ['--args', '"{\\"a\\":1}"'], 'string "{\\"a\\":1}"'],
    ['nothing', [], 'undefined undefined'],
  ]
  test.each(cases)('%s, and again on resume', async (_what, args, expected) => {
    const script = project.write('args.js', `await agent('x'); return typeof args + ' ' + JSON.stringify(args)`)
    expect((await project.json('run', script, '--agent', 'simulated', ...args)).returnValue).toBe(expected)
    expect((await project.json('resume', 'last')).returnValue).toBe(expected)
  })
})

test('an edited script runs as it is now, and unchanged calls are reused (R24)', async () => {
  project.write('.claude/workflows/edit.js', `const a = await agent('a'); return [a, await agent('b')]`)
  await project.json('run', 'edit', '--agent', 'simulated')
  project.write('.claude/workflows/edit.js', `const a = await agent('a'); return [a, await agent('c', { label: 'new' })]`)
  const plan = await project.json<ResumePlan>('plan', 'last')
  expect(plan.scriptChanged).toBe(true)
  expect(plan.replayed).toHaveLength(1)
  const before = project.started.length
  expect((await project.json('resume', 'last')).returnValue).toEqual(['[simulated] a', '[simulated] c'])
  expect(project.started.slice(before)).toEqual(['c'])
})

test('a late rejection of a call nobody waits for ends no process (R26)', async () => {
  const script = project.write(
    'late.js',
    `agent('x').then(() => { throw new Error('late') }); await agent('y [[delay:50]]'); return 'fine'`,
  )
  const finished = await project.run(['run', script, '--agent', 'simulated', '--concurrency', '2', '--json'])
  expect(finished.code).toBe(0)
  expect(JSON.parse(finished.stdout)).toMatchObject({ returnValue: 'fine', counts: { ok: 2 } })
})

test('the same schema with its keys in another order, or another label or phase, is the same call (R32)', async () => {
  const script = (keys: string, label: string) => `phase('${label}'); return agent('x', { label: '${label}', schema: { ${keys} } })`
  project.write('keys.js', script(`type: 'object', required: ['a'], properties: { a: { type: 'number' } }`, 'one'))
  await project.json('run', 'keys.js', '--agent', 'simulated')
  project.write('keys.js', script(`properties: { a: { type: 'number' } }, required: ['a'], type: 'object'`, 'two'))
  expect(await project.json('resume', 'last')).toMatchObject({ counts: { replayed: 1, live: 0 } })
})

test('a prompt that looks like an import, a comment or a template reaches the agent byte for byte (R30)', async () => {
  const script = project.write(
    'bytes.js',
    'return agent(String.raw`import("x") <!-- --> ${1 + 1} \\u0041 ` + "eval(1) import(\'y\') \u2028 \\ud800" )',
  )
  await project.json('run', script, '--agent', 'simulated')
  expect(project.started).toEqual(['import("x") <!-- --> 2 \\u0041 eval(1) import(\'y\') \u2028 \ud800'])
})

test('another process can stop a run, and what it finished is reused', async () => {
  const script = project.write('long.js', `const a = await agent('a'); await agent('b [[hang]]'); return a`)
  const going = project.start(['run', script, '--agent', 'simulated', '--json'])
  await until(() => project.started.length >= 2)
  expect((await project.run(['stop', 'last'])).code).toBe(0)
  const stopped = await going.ended
  expect(stopped.code).toBe(130)
  expect(JSON.parse(stopped.stdout)).toMatchObject({ status: 'killed', counts: { ok: 1 } })
  project.write('long.js', `const a = await agent('a'); return a`)
  expect(await project.json('resume', 'last')).toMatchObject({ status: 'completed', counts: { replayed: 1, live: 0 } })
})

test('a run that another process owns is not taken over', async () => {
  const script = project.write('long.js', `await agent('b [[hang]]')`)
  const going = project.start(['run', script, '--agent', 'simulated'])
  await until(() => project.started.length >= 1)
  const refused = await project.run(['resume', 'last'])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('reprise stop')
  expect(project.started).toHaveLength(1)
  going.child.kill('SIGINT')
  expect((await going.ended).code).toBe(130)
})

test('calls that were running and may not be repeated unasked are asked about', { timeout: 60_000 }, async () => {
  const marker = project.write('marker.txt', '')
  const command = `echo started >> '${marker.replaceAll("'", "'\\''")}'; sleep 30`
  const script = project.write('shell.js', `return agent(${JSON.stringify(command)}, { agentType: 'shell' })`)
  const going = project.start(['run', script, '--yes'])
  await until(() => readFileSync(marker, 'utf8').includes('started'))
  going.child.kill('SIGKILL')
  await going.ended
  const asked = await project.run(['resume', 'last'])
  expect(asked.code).toBe(4)
  expect(asked.stderr).toContain('--in-flight')
  expect(await project.json('resume', 'last', '--in-flight', 'skip')).toMatchObject({
    status: 'completed',
    returnValue: null,
    counts: { skipped: 1 },
  })
  expect(readFileSync(marker, 'utf8')).toBe('started\n')
})

test('a damaged line in the middle of a journal is named, and its call runs again', async () => {
  const script = project.write('three.js', `return [await agent('a'), await agent('b'), await agent('c')]`)
  const { runId } = await project.json('run', script, '--agent', 'simulated')
  const path = project.journal(runId)
  writeFileSync(path, readFileSync(path, 'utf8').replace('[simulated] b', '[simulated] B'))
  appendFileSync(path, 'not a record\n')
  const before = project.started.length
  const again = await project.run(['resume', runId, '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ status: 'completed', counts: { replayed: 2, live: 1 } })
  expect(project.started.slice(before)).toEqual(['b'])
  expect(again.stderr).toMatch(/line \d+ .*journal/i)
})

test('a paused run lets running calls finish, starts nothing new, and goes on from there', async () => {
  const script = project.write('pause.js', `return [await agent('a'), await agent('b [[delay:4000]]'), await agent('c')]`)
  const going = project.start(['run', script, '--agent', 'simulated', '--json'])
  await until(() => project.started.length >= 2)
  expect((await project.run(['pause', 'last'])).code).toBe(0)
  const paused = await going.ended
  expect(paused.code).toBe(4)
  expect(JSON.parse(paused.stdout)).toMatchObject({ status: 'paused', counts: { ok: 2 } })
  expect(await project.json('resume', 'last')).toMatchObject({ status: 'completed', counts: { replayed: 2, live: 1 } })
  expect(project.started).toEqual(['a', 'b [[delay:4000]]', 'c'])
})
