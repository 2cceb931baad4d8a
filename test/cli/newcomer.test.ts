/** A first day with the command line: what a run says while it goes on, how it ends, and how one goes on from there. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunEvent } from '../../shared/run/events.ts'
import { CLI, type Going, TestProject, until } from '../support/reprise.ts'

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

test('a fresh starter is checked and run from any folder of the project', async () => {
  const cwd = join(project.folder, 'docs', 'deep')
  mkdirSync(cwd, { recursive: true })
  expect(await project.run(['new', 'first'], { cwd })).toMatchObject({ code: 0, stdout: '' })
  expect(await project.run(['check', 'first'], { cwd })).toMatchObject({ code: 0, stdout: '', stderr: '1 file checked: no problems.\n' })
  const { code, stdout, stderr } = await project.run(['run', 'first', '--agent', 'simulated', '--title', 'My first é'], { cwd })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ topic: 'this project', summary: expect.stringMatching(/^\[simulated\] /) })
  expect(stderr).toMatch(/^My first é #1\nPhase: Collect\n3 of 3 notes\nPhase: Sum up\n✓ Completed in .* · 4 live\n$/)
  expect((await project.run(['list'], { cwd })).stdout).toMatch(/^1 {2}My first é {2}✓ Completed · 4 live /m)
})

describe('how a run ends, and what comes next', () => {
  test('dead calls: exit 3, with the command that tries them again', async () => {
    const script = project.write(
      'dead.js',
      `return parallel([1, 2, 3].map((n) => () => agent('do ' + n + (n === 2 ? '[[die:refused]]' : ''))))`,
    )
    const { code, stderr } = await project.run(['run', script, '--agent', 'simulated'])
    expect(code).toBe(3)
    expect(stderr).toMatch(/✓ Completed in .*, 1 of 3 failed · 3 live\nTry the failed one again: reprise resume \w{26}\n$/)
    expect((await project.run(['list'])).stdout).toContain('✓ Completed · 1 of 3 failed')
    expect((await project.run(['show', 'last'])).stdout).toMatch(/✕ 2 do 2.* died: it was refused/)
  })

  test('a used-up budget: exit 4, with a budget that is enough to go on', async () => {
    const script = project.write('spend.js', `for (let i = 0; i < 5; i++) await agent('x' + i + ' [[tokens:100]]')\nreturn 'spent'`)
    const { code, stderr } = await project.run(['run', script, '--agent', 'simulated', '--budget', '250'])
    expect(code).toBe(4)
    const command =
      /Paused: the token budget is used up\. 2 results are saved\.\nResume with a larger budget: reprise (resume \w{26} --budget 500)\n$/.exec(
        stderr,
      )
    expect(command, stderr).not.toBeNull()
    expect(await project.run((command?.[1] ?? '').split(' '))).toMatchObject({ code: 0, stdout: 'spent\n' })
    expect(project.started).toHaveLength(5)
  })

  test('a usage limit: exit 4, with the time when it resets', async () => {
    const script = project.write('quota.js', `await agent('one'); return agent('two [[die:quota]] [[reset:2030-01-01T00:00:00Z]]')`)
    const { code, stdout, stderr } = await project.run(['run', script, '--agent', 'simulated', '--json'], { env: { TZ: 'UTC' } })
    expect(code).toBe(4)
    expect(stderr).toContain(
      'Paused: usage limit reached, resets 2030-01-01 00:00. 1 result is saved.\nResume when the limit is reset: reprise resume ',
    )
    expect(JSON.parse(stdout)).toMatchObject({ status: 'paused', reason: 'quota', resetAt: '2030-01-01T00:00:00Z', returnValue: null })
    expect((await project.run(['list'], { env: { TZ: 'UTC' } })).stdout).toContain(
      'Paused · usage limit, resets 2030-01-01 00:00 · 1 saved',
    )
  })

  test('a script file that is gone: the run goes on from the text it keeps, and says so', async () => {
    const script = project.write('gone.js', `return agent('one [[die-once:refused]]')`)
    await project.run(['run', script, '--agent', 'simulated'])
    rmSync(script)
    expect((await project.run(['plan', 'last'])).stderr).toBe('gone.js is gone; the text that ran last is used, which the run keeps.\n')
    const { code, stdout, stderr } = await project.run(['resume', 'last'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '[simulated] one\n' })
    expect(lines(stderr)[0]).toBe('gone.js is gone; the text that ran last is used, which the run keeps.')
  })
})

test('--events is every event once, in order, then the document; nothing else is on stdout', async () => {
  const script = project.write('events.js', `phase('One'); log('hello'); return parallel([1, 2, 3].map((n) => () => agent('do ' + n)))`)
  for (const words of [
    ['run', script, '--agent', 'simulated'],
    ['resume', 'last'],
  ]) {
    const { code, stdout } = await project.run([...words, '--events'])
    expect(code).toBe(0)
    const parsed: unknown[] = lines(stdout).map((line) => JSON.parse(line))
    const events = parsed.slice(0, -1) as RunEvent[]
    const first = events[0]?.seq ?? 0
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => first + i))
    expect(events[0]?.type).toBe('run.started')
    expect(events.at(-1)?.type).toBe('run.ended')
    expect(parsed.at(-1)).toMatchObject({ status: 'completed', returnValue: [1, 2, 3].map((n) => `[simulated] do ${n}`) })
  }
})

const SLOW = `phase('Work')
await agent('quick', { label: 'quick' })
return parallel([1, 2, 3].map((n) => () => agent('slow ' + n + ' [[hang]]', { label: 'slow ' + n })))`

/** A run that will not end by itself, two of its calls at work. */
async function hanging(...options: string[]): Promise<Going> {
  const script = project.write('slow.js', SLOW)
  const going = project.start(['run', script, '--agent', 'simulated', '--concurrency', '2', ...options])
  await until(() => project.started.length === 3 || going.child.exitCode !== null)
  return going
}

describe.runIf(process.platform !== 'win32')('Ctrl-C', () => {
  test('once: what is finished is kept, exit 130, and the way to go on is said', async () => {
    const going = await hanging()
    going.child.kill('SIGINT')
    const { code, stderr } = await going.ended
    expect(code).toBe(130)
    expect(stderr).toContain('Stopping. Finished results are kept. Ctrl-C again ends everything at once.\n')
    expect(stderr).toMatch(/■ Stopped\. 1 result saved\.\nResume: reprise resume \w{26}\n$/)
    const plan = await project.json<{ replayed: unknown[] }>('plan', 'last')
    expect(plan.replayed).toHaveLength(1)
  })

  test('twice: at once, and what is finished is kept all the same', async () => {
    const going = await hanging('--json')
    going.child.kill('SIGINT')
    going.child.kill('SIGINT')
    const { code, stdout } = await going.ended
    expect(code).toBe(130)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'killed', counts: { ok: 1 } })
  })
})

test('a run in another process is listed, shown, planned, followed by its request, and stopped', async () => {
  const going = await hanging('--request-id', 'only-once')
  const [listed, shown, call, plan] = await Promise.all([
    project.run(['list']),
    project.run(['show', 'last']),
    project.run(['show', 'last', '--call', 'slow 1']),
    project.run(['plan', 'last']),
  ])
  expect(listed.stdout).toMatch(/^1 {2}slow {6}▶ Running · Work/m)
  expect(shown.stdout).toMatch(/^slow #1 {2}▶ Running · Work\n/)
  expect(shown.stdout).toMatch(
    /✓ 1 quick.*\n {2}▶ 2 slow 1.*running\n {2}▶ 3 slow 2.*running\n {2}○ 4 slow 3.*queued\n\nStop it: reprise stop \w{26}\n$/,
  )
  expect(call.stdout).toMatch(/Output\nNo result yet: running\.\n$/)
  expect(plan.stdout).toMatch(/Still at work; stop it first: reprise stop \w{26}\n$/)

  const again = project.start(['run', 'slow.js', '--agent', 'simulated', '--concurrency', '2', '--request-id', 'only-once'], {
    cwd: project.folder,
  })
  const follows = once(again.child.stderr ?? again.child, 'data')
  await follows
  expect(await project.run(['stop', 'last'])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Stopping\. .* Resume: reprise resume \w{26}\n$/),
  })
  expect((await going.ended).code).toBe(130)
  const followed = await again.ended
  expect(followed.code).toBe(130)
  expect(followed.stderr).toMatch(/^This request already made run #1; nothing was started\.\n/)
  expect(followed.stderr).toContain('■ Stopped. 1 result saved.\n')
  expect(project.started).toHaveLength(3)
  expect(project.runIds).toHaveLength(1)

  rmSync(join(project.folder, 'slow.js'))
  const late = await project.run(['run', 'slow.js', '--agent', 'simulated', '--concurrency', '2', '--request-id', 'only-once'])
  expect(late).toMatchObject({ code: 130, stderr: expect.stringContaining('nothing was started') })
  expect(project.runIds).toHaveLength(1)
})

test('labels, logs and titles with line breaks and escape sequences move no cursor', async () => {
  const script = project.write(
    'odd.js',
    `phase('Two\\nlines \\u001b[31m')
     log('first\\nsecond \\u001b]0;title\\u0007 end')
     return await agent('hello', { label: 'é 漢字 \\u001b[2J red\\nnext 😀' }) && 'plain'`,
  )
  const finished = await project.run(['run', script, '--agent', 'simulated', '--verbose', '--title', 'a\u001b[31mb\nc'])
  const outputs = [
    finished,
    ...(await Promise.all(['list', 'show last', 'plan last', 'show last --call 1'].map((words) => project.run(words.split(' '))))),
  ]
  for (const { code, stdout, stderr } of outputs) {
    expect(code).toBe(0)
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]/u)
  }
  expect(lines(finished.stderr)[0]).toBe('ab c #1')
  expect(finished.stderr).toContain('✓ é 漢字 red next 😀')
})

test('300 calls away from a terminal are a few calm lines', async () => {
  const script = project.write(
    'many.js',
    `phase('Many'); return (await parallel(Array.from({ length: 300 }, (_, n) => () => agent('m ' + n + ' [[delay:0]]')))).length`,
  )
  const { code, stdout, stderr } = await project.run(['run', script, '--agent', 'simulated', '--concurrency', '16'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: '300\n' })
  expect(stderr).toMatch(/^many #1\nPhase: Many\n✓ Completed in .* · 300 live\n$/)
})

test('many files are checked in one go, and one bad file hides no other', async () => {
  const files = Array.from({ length: 40 }, (_, i) => project.write(`check/${i}.js`, i === 7 ? 'return (' : `return agent('x')`))
  const { code, stdout, stderr } = await project.run(['check', ...files, 'check/none.js'])
  expect(code).toBe(2)
  expect(lines(stdout)).toEqual([
    expect.stringMatching(/^check\/7\.js:1:\d+: error .*\[script-syntax\]$/),
    expect.stringMatching(/^check\/none\.js: error There is no file .*\[file-missing\]$/),
  ])
  expect(stderr).toBe('41 files checked: 2 errors, 0 warnings.\n')
})

describe.runIf(process.platform !== 'win32')('a reader that goes away', () => {
  test.each([
    ['help', 0],
    ['list', 0],
  ])('%s | head -1 ends quietly', async (words, code) => {
    const shell = spawn('sh', ['-c', `{ "$0" "$1" ${words}; echo "exit $?" >&2; } | head -1 >/dev/null`, process.execPath, CLI], {
      cwd: project.folder,
    })
    let stderr = ''
    shell.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    await once(shell, 'close')
    expect(stderr).not.toMatch(/EPIPE|Error/)
    expect(stderr).toContain(`exit ${code}\n`)
  })
})

/** A terminal of its own for one command; `script` is part of util-linux. */
const TERMINAL = '/usr/bin/script'

describe.runIf(process.platform === 'linux' && existsSync(TERMINAL))('in a terminal', () => {
  async function inTerminal(columns: number, words: string, env: Record<string, string> = {}): Promise<string> {
    const command = `stty cols ${columns}; "${process.execPath}" "${CLI}" ${words}`
    const child = spawn(TERMINAL, ['-qec', command, '/dev/null'], {
      cwd: project.folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: project.outside,
        REPRISE_HOME: join(project.outside, 'data'),
        TERM: 'xterm-256color',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    await once(child, 'close')
    return output
  }
  const FEW = `phase('Look'); return parallel([1, 2, 3].map((n) => () => agent('a rather long prompt about the thing with the number ' + n, { label: 'thing ' + n })))`

  test('there is colour, and none with NO_COLOR; the words are the same', async () => {
    project.write('few.js', FEW)
    await project.run(['run', 'few.js', '--agent', 'simulated'])
    const [coloured, plain] = await Promise.all([inTerminal(100, 'show last'), inTerminal(100, 'show last', { NO_COLOR: '1' })])
    expect(coloured).toContain('\u001b[32m✓')
    expect(plain).not.toContain('\u001b')
    expect(stripVTControlCharacters(coloured)).toBe(plain)
  })

  test('40 columns are enough: the list and the calls of a run fit', async () => {
    project.write('few.js', FEW)
    await project.run(['run', 'few.js', '--agent', 'simulated'])
    const [listed, shown] = await Promise.all([inTerminal(40, 'list', { NO_COLOR: '1' }), inTerminal(40, 'show last', { NO_COLOR: '1' })])
    for (const line of listed.split('\r\n')) expect([...line].length, line).toBeLessThanOrEqual(40)
    expect(listed).toMatch(/✓ Completed/)
    const calls = shown.split('\r\n').filter((line) => line.startsWith('  ✓'))
    expect(calls).toHaveLength(3)
    for (const line of calls) expect([...line].length, line).toBeLessThanOrEqual(40)
  })

  test('the line of a run in progress is taken away in the end', async () => {
    project.write('few.js', FEW)
    const output = await inTerminal(60, 'run few.js --agent simulated', { NO_COLOR: '1' })
    const last = output.split('\r\n').map((line) => line.split('\r').findLast((part) => part.trim() !== ''))
    expect(last).toContainEqual(expect.stringMatching(/^✓ Completed in .* · 3 live$/))
    expect(last.slice(last.findIndex((line) => line?.startsWith('✓ Completed')))).not.toContainEqual(expect.stringContaining('▶'))
  })
})

test('a command that an error names means the project that was given, in words and as a document', async () => {
  const elsewhere = { cwd: project.outside }
  const script = project.write('gate.js', `return gate('Go on?')`)
  await project.run(['run', script, '--agent', 'simulated', '--project', project.folder], elsewhere)
  const refused = await project.run(['skip', 'last', '77', '--project', project.folder], elsewhere)
  const named = /reprise show --project '[^']+' \w+/.exec(refused.stderr)?.[0]
  expect([refused.code, named]).toEqual([2, expect.stringContaining(project.folder)])
  // As it stands there, it can be given to a shell.
  const { stdout } = await promisify(execFile)('sh', ['-c', (named ?? '').replace('reprise', `'${process.execPath}' '${CLI}'`)], {
    cwd: project.outside,
  })
  expect(stdout).toContain('gate')
  const document = await project.run(['skip', 'last', '77', '--project', project.folder, '--json'], elsewhere)
  expect(JSON.parse(document.stdout)).toMatchObject({ error: { message: expect.stringContaining(`--project '${project.folder}'`) } })
  expect((await project.run(['skip', 'last', '77'])).stderr).toMatch(/: reprise show \w+\n$/)
})

test('a file that is named from another folder is found in the project, and said so', async () => {
  project.write('flows/a.js', 'return 1')
  const named = await project.run(['run', 'flows/a.js', '--agent', 'simulated', '--project', project.folder], { cwd: project.outside })
  expect([named.code, named.stderr]).toEqual([
    2,
    expect.stringMatching(
      /^reprise: There is no file .*flows\/a\.js\. Check the path\. There is a file .*flows\/a\.js; is that the one\?\n$/,
    ),
  ])
})
