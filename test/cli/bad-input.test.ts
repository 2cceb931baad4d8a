/** Whatever a person gets wrong: one line that says what, where and what next, exit 2, one document for programs, nothing written. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listing } from '../support/folder-listing.ts'
import { inParallel } from '../support/pool.ts'
import { CLI, type Finished, TestProject, until } from '../support/reprise.ts'

/** Words, and what has to come of them: the error's code, and a part of the one line. Blanks in the words separate them. */
interface Case {
  title: string
  words: string[]
  code: string
  says: string | RegExp
  /** Lines before the last: findings with their place. */
  findings?: (string | RegExp)[]
}

interface Told extends Finished {
  lines: string[]
  document: { status: string; error: { code: string; message: string; line?: number; column?: number } }
}

async function tell(project: TestProject, words: string[], env: Record<string, string> = {}): Promise<Told> {
  const finished = await project.run([...words, '--json'], { cwd: join(project.folder, 'sub dir'), env })
  const lines = finished.stderr.split('\n')
  expect(lines.pop(), 'the last line ends').toBe('')
  const [document = '', ...rest] = finished.stdout.split('\n')
  expect(rest, 'stdout is one line').toEqual([''])
  return { ...finished, lines, document: JSON.parse(document) }
}

/** Runs all cases first, a few at once; then each is a test of its own. */
function refusals(cases: Case[], project: () => TestProject, isOurs: (line: string) => boolean = () => true): void {
  let told: Told[] = []
  let before: string[] = []
  let after: string[] = []
  beforeAll(async () => {
    before = listing(project().folder, project().outside).filter(isOurs)
    told = await inParallel(cases, ({ words }) => tell(project(), words))
    after = listing(project().folder, project().outside).filter(isOurs)
  }, 120_000)

  test.each(cases.map((one, index) => [one.title, one, index] as const))('%s', (_, { code, says, findings }, index) => {
    const { code: exit, lines, document } = told[index] as Told // one for each case
    expect({ exit, status: document.status, code: document.error.code }).toEqual({ exit: 2, status: 'refused', code })
    const [last = '', ...found] = lines.toReversed()
    expect(last).toMatch(/^reprise: \S/)
    expect(last).toMatch(says)
    expect(found).toHaveLength(findings?.length ?? 0)
    for (const [i, finding] of (findings ?? []).toReversed().entries()) expect(found[i]).toMatch(finding)
    if (findings === undefined) expect(last).toBe(`reprise: ${document.error.message}`)
    else expect(document.error).toMatchObject({ line: expect.any(Number), column: expect.any(Number) })
  })

  test('nothing was written, in the project, the home or the current folder', () => {
    expect(after).toEqual(before)
  })
}

function projectWithScripts(): TestProject {
  const project = new TestProject()
  const scripts: Record<string, string | Buffer> = {
    'good.js': `return agent('hello')`,
    'empty.js': '',
    'binary.js': Buffer.from([0, 255, 254, 0, 1, 2, 128, 200]),
    'syntax.js': 'const a = 1\nreturn (a +',
    'import.js': `import fs from 'fs'\nreturn fs`,
    'meta.js': 'export const meta = { name: nameIt() }',
    'type.js': `return agent('x', { agentType: 'helper' })`,
    'shell.js': `return agent('touch made', { agentType: 'shell' })`,
    'throws.js': `log('before')\nthrow new Error('no é here')`,
    'stuck.js': 'await new Promise(() => {})',
    'text.txt': 'return 1',
    'input.json': '{"a": 1,\n "b": }',
  }
  for (const [name, text] of Object.entries(scripts)) project.write(`sub dir/${name}`, text)
  project.write('.claude/workflows/triage.js', 'return 1')
  mkdirSync(join(project.folder, 'sub dir', 'folder.js'))
  return project
}

describe('what is to run', () => {
  let project: TestProject
  beforeAll(() => {
    project = projectWithScripts()
  })
  afterAll(() => project.remove())

  const run = (title: string, words: string[], code: string, says: string | RegExp, findings?: (string | RegExp)[]): Case => ({
    title,
    words: ['run', ...words],
    code,
    says,
    ...(findings !== undefined && { findings }),
  })
  const one = (path: string) => [/^reprise: 1 error in .*; nothing ran\.$/, path] as const
  const finding = (title: string, path: string, code: string, place: string, words: string): Case =>
    run(title, [path, '--yes'], code, one(path)[0], [new RegExp(`^${path}:${place}: error .*${words}.* \\[${code}\\]$`)])

  refusals(
    [
      run('a missing file', ['missing.js'], 'file-missing', /There is no file .*sub dir\/missing\.js\. /),
      run('a file below a file', ['good.js/more.js'], 'file-missing', 'There is no file'),
      run('a folder', ['./folder.js'], 'not-a-script', /folder\.js is a folder\. Name a script in it\./),
      run('a file with another ending', ['./text.txt'], 'not-a-script', 'has to end in .ts, .js or .mjs'),
      finding('a binary file', 'binary.js', 'not-a-script', '1:1', 'binary data'),
      finding('a syntax error', 'syntax.js', 'script-syntax', '2:12', 'end'),
      finding('an import', 'import.js', 'not-self-contained', '1:1', 'import'),
      {
        ...finding('a meta with a call', 'meta.js', 'meta-not-literal', '1:29', 'call'),
        findings: [/^meta\.js:1:29: error .*\[meta-not-literal\]$/, /^meta\.js:1:29: warning /],
      },
      finding('an unknown agentType', 'type.js', 'agent-unknown', '1:32', 'Use one of general-purpose'),
      run(
        'an unknown name, with those that are known',
        ['triaje'],
        'workflow-unknown',
        /no workflow “triaje” here\. There are: triage\. .*reprise new triaje$/,
      ),
      run('a name with a blank gets no hint that would be refused', ['my flow'], 'workflow-unknown', /There are: triage\.$/),
      run('../x as the name of a workflow', ['../x'], 'file-missing', /There is no file .*\/x\. /),
      run('this folder', ['.'], 'not-a-script', /is a folder\. Name a script in it\./),
      run('a file without its ending', ['good'], 'workflow-unknown', 'There is a file good.js; is that the one?'),
      run('a file without its ending, by its path', ['./good'], 'file-missing', 'There is a file good.js; is that the one?'),
      run('a name of nothing', [''], 'name-invalid', 'no workflow’s name'.replace('’', "'")),
      run('no word', [], 'usage', 'needs a script file or the name of a workflow. See: reprise help run'),
      run('two words', ['good.js', 'more.js'], 'usage', 'has no use for “more.js”'),
      run('no agent chosen', ['good.js'], 'agent-unset', 'good.js leaves the agent to you. Choose --agent simulated'),
      run('no agent chosen, with trust given', ['good.js', '--yes'], 'agent-unset', '--agent simulated'),
      run(
        'an agent that nobody knows',
        ['good.js', '--agent', 'nope', '--yes'],
        'agent-unknown',
        'There is no agent “nope”. Choose --agent simulated',
      ),
      run(
        'a script that may touch the machine, with nobody to ask',
        ['shell.js'],
        'not-trusted',
        /runs shell commands .*\(line 1\)\. .*add --yes/,
      ),
      run('prompts as shell commands, with nobody to ask', ['good.js', '--agent', 'shell'], 'not-trusted', 'add --yes'),
      run(
        'bad --args, with the position',
        ['good.js', '--args', '{label: 1}'],
        'bad-args',
        /--args is not JSON: .* position 2 \(line 1, column 2\), found "label: 1}"\. /,
      ),
      run('bad --args that are cut off', ['good.js', '--args', '{"a":'], 'bad-args', 'position 6 (line 1, column 6), it ends there'),
      run('a bare word for --args', ['good.js', '--args', 'bug'], 'bad-args', `For text write --args '"bug"'`),
      run('--args with --arg', ['good.js', '--args', '1', '--arg', 'a=1'], 'usage', '--args and --arg exclude each other'),
      run('--arg without =', ['good.js', '--arg', 'label'], 'bad-args', '--arg takes KEY=VALUE'),
      run('an args file that is not there', ['good.js', '--args-file', 'no.json'], 'file-missing', /There is no file .*no\.json\. /),
      run(
        'an args file that is not JSON',
        ['good.js', '--args-file', 'input.json'],
        'bad-args',
        'input.json is not JSON: a value is expected at position 16 (line 2, column 7)',
      ),
      run('stdin that is not JSON', ['good.js', '--args-file', '-'], 'bad-args', 'The text on stdin is not JSON'),
      run(
        '--budget abc',
        ['good.js', '--budget', 'abc'],
        'usage',
        '--budget takes a whole number of at least 1, such as 500000 or 500k; got “abc”',
      ),
      run('--budget without a value', ['good.js', '--budget'], 'usage', '--budget needs a value: --budget N'),
      run('--concurrency 0', ['good.js', '--concurrency', '0'], 'usage', '--concurrency takes a whole number from 1 to 16; got “0”'),
      run('--concurrency 99', ['good.js', '--concurrency', '99'], 'usage', 'from 1 to 16; got “99”'),
      run('--concurrency -1', ['good.js', '--concurrency', '-1'], 'usage', 'from 1 to 16; got “-1”'),
      run('an empty --title', ['good.js', '--title', ''], 'usage', '--title needs a value'),
      run('a request id with a path', ['good.js', '--request-id', '../x'], 'usage', '--request-id takes 1 to 128 letters'),
      run('an unknown option, with the nearest', ['good.js', '--buget', '1'], 'usage', 'Did you mean --budget?'),
      run(
        'a project that is not there',
        ['good.js', '--project', 'nowhere'],
        'project-missing',
        /There is no folder .*sub dir\/nowhere\. /,
      ),
      run('a project that is a file', ['good.js', '--project', 'good.js'], 'project-missing', /There is no folder .*good\.js\. /),
      {
        title: 'an unknown command, with the nearest',
        words: ['rum'],
        code: 'usage',
        says: 'There is no command “rum”. Did you mean “run”? See: reprise help',
      },
      { title: 'no command for a program', words: [], code: 'usage', says: 'Name a command. See: reprise help' },
      { title: 'an unknown state', words: ['list', '--status', 'brokken'], code: 'usage', says: 'Known: queued, running' },
      {
        title: 'a name that no file should have',
        words: ['new', '../x'],
        code: 'name-invalid',
        says: "“../x” can't be the name of a workflow",
      },
      { title: 'a workflow that is there already', words: ['new', 'triage'], code: 'workflow-exists', says: 'triage.js exists already' },
      {
        title: 'a run where nothing has run',
        words: ['show', 'last'],
        code: 'run-unknown',
        says: /Nothing has run in .* yet\. Start with: reprise run/,
      },
    ],
    () => project,
  )

  test('an empty file is a workflow that does nothing: it runs and returns null', async () => {
    const finished = await project.run(['run', './empty.js', '--json'], { cwd: join(project.folder, 'sub dir') })
    expect(finished).toMatchObject({ code: 0 })
    expect(JSON.parse(finished.stdout)).toMatchObject({ status: 'completed', returnValue: null, counts: { live: 0 } })
  })

  test('a script that throws is failed with its line, and what to do next', async () => {
    const { code, stdout, stderr } = await project.run(['run', './throws.js'], { cwd: join(project.folder, 'sub dir') })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^throws #\d+\nbefore\nthrows\.js:2:7: Error: no é here\n✕ Failed\.\nResume: reprise resume \w{26}\n$/)
  })

  test('a script that can never go on is told so, not left hanging', async () => {
    const { code, stdout } = await project.run(['run', './stuck.js', '--json'], { cwd: join(project.folder, 'sub dir') })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', error: { code: 'script-stuck' } })
  })

  test('a closed stdin is nobody to ask', async () => {
    const closed = spawn('sh', ['-c', '"$0" "$1" run ./shell.js <&-', process.execPath, CLI], {
      cwd: join(project.folder, 'sub dir'),
      env: { ...process.env, HOME: project.outside, REPRISE_HOME: project.outside },
    })
    expect(await finish(closed)).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') })
  })
})

function finish(child: ReturnType<typeof spawn>): Promise<Finished> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })))
}

describe('which run', () => {
  let project: TestProject
  let ids: string[] = []
  let going: ReturnType<TestProject['start']>
  const outside = () => join(project.outside, 'elsewhere')

  beforeAll(async () => {
    project = new TestProject()
    mkdirSync(join(project.folder, 'sub dir'))
    const script = project.write('good.js', `return [await agent('one'), await agent('two')]`)
    const slow = project.write('slow.js', `await agent('quick'); return agent('long [[hang]]')`)
    const run = () => project.json('run', script, '--agent', 'simulated')
    ids = [(await run()).runId, (await run()).runId, (await run()).runId, (await run()).runId]
    rmSync(project.journal(ids[1] ?? ''))
    writeFileSync(join(project.runsFolder, ids[2] ?? '', 'run.json'), '{"schemaVersion": 1')
    mkdirSync(outside())
    symlinkSync(outside(), join(project.runsFolder, '01ZZZZZZZZZZZZZZZZZZZZZZZZ'))
    going = project.start(['run', slow, '--agent', 'simulated', '--request-id', 'asked-once'])
    await until(() => project.started.includes('long [[hang]]'))
    await project.run(['list']) // writes the rows of what was found anew, once
  }, 60_000)
  afterAll(async () => {
    going.child.kill('SIGKILL')
    await going.ended
    project.remove()
  })

  const refused = (title: string, words: string[], code: string, says: string | RegExp): Case => ({ title, words, code, says })
  const foreign = '01ZZZZZZZZZZZZZZZZZZZZZZZZ'
  refusals(
    [
      refused(
        'an unknown id',
        ['show', '01JQ0000000000000000000047'],
        'run-unknown',
        /There is no run “01JQ0000000000000000000047” in .* List them with: reprise list$/,
      ),
      refused('an unknown number', ['resume', '99'], 'run-unknown', 'There is no run “99”'),
      refused('../x as an id', ['resume', '../x'], 'run-unknown', 'A run is named by its id, a unique beginning of it, #number, or last.'),
      refused('../x as an id, to stop', ['stop', '../../x'], 'run-unknown', 'There is no run “../../x”'),
      refused('an ambiguous beginning', ['show', '01'], 'run-ambiguous', /runs begin with 01: .*\. Give more of the id\.$/),
      refused('a call that is not there', ['show', '1', '--call', '7'], 'call-unknown', /has no call 7\. See its calls: reprise show/),
      refused(
        'a policy that is none',
        ['plan', '1', '--policy', 'some'],
        'usage',
        '--policy knows no “some”. Known: content, prefix, none.',
      ),
      refused('another file that is not there', ['resume', '1', '--file', 'no.js'], 'file-missing', 'There is no file'),
      refused('another agent that nobody knows', ['resume', '1', '--agent', 'nope'], 'agent-unknown', 'There is no agent “nope”'),
      refused(
        'a run that another process owns',
        ['resume', '5'],
        'run-busy',
        /Attempt 1 .* in process \d+ on .*\. Stop it with: reprise stop/,
      ),
      refused(
        'a request that made another run',
        ['run', '../good.js', '--agent', 'simulated', '--request-id', 'asked-once'],
        'request-conflict',
        'already started another run',
      ),
      ...['show', 'resume', 'plan', 'stop'].map((verb) =>
        refused(`a run without its journal: ${verb}`, [verb, '2'], 'journal-missing', /The journal of this run is gone: .*journal\.jsonl/),
      ),
      ...['show', 'resume', 'plan', 'stop'].map((verb) =>
        refused(
          `a run whose run.json is damaged: ${verb}`,
          [verb, '3'],
          'run-damaged',
          /run\.json can't be read, so this run can't be opened/,
        ),
      ),
      ...['show', 'resume', 'stop'].map((verb) =>
        refused(
          `a run folder that leads elsewhere: ${verb}`,
          [verb, foreign],
          'run-damaged',
          'is a link to somewhere else, so it is not opened',
        ),
      ),
    ],
    () => project,
    (line) => !line.includes(project.runIds.at(-2) ?? ''), // the one at work, whose owner writes
  )

  test('the list shows each damaged run as one row, and all others as they are', async () => {
    const rows = await project.json<{ runId: string; damaged: string | null; status: string }[]>('list')
    const damaged = rows.filter((row) => row.damaged !== null).map((row) => row.runId)
    expect(damaged.sort()).toEqual([ids[1], ids[2], foreign].sort())
    expect(
      rows
        .filter((row) => row.damaged === null)
        .map((row) => row.status)
        .sort(),
    ).toEqual(['completed', 'completed', 'running'])
    const { stdout, stderr } = await project.run(['list'])
    expect(stdout.match(/Unreadable/g)).toHaveLength(3)
    for (const id of damaged) expect(stderr).toContain(`${id}: `)
    rmSync(join(project.runsFolder, 'index.jsonl'))
    expect((await project.json<{ damaged: string | null }[]>('list')).filter((row) => row.damaged !== null)).toHaveLength(3)
  })

  test('the newest run is one that can be opened', async () => {
    expect(await project.json<{ number: number }>('show', 'last')).toMatchObject({ number: 5, status: 'running' })
  })

  test('a damaged line of the journal is named, and the run goes on', async () => {
    const path = project.journal(ids[0] ?? '')
    const lines = readFileSync(path, 'utf8').split('\n')
    const at = lines.findIndex((line) => line.includes('"t":"result"'))
    lines[at] = (lines[at] ?? '').replace('"t":"result"', '"t":"resulT"')
    writeFileSync(path, lines.join('\n'))
    const shown = await project.run(['show', '1'])
    expect(shown.stdout).toContain(`Journal  line ${at + 1} is unreadable`)
    const before = project.started.length
    const resumed = await project.run(['resume', '1', '--json'])
    expect(resumed.code).toBe(0)
    expect(resumed.stderr).toContain(`Line ${at + 1} of this run's journal is damaged`)
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'completed', counts: { live: 1, replayed: 1 } })
    expect(project.started.slice(before)).toEqual(['one'])
  })
})

/** Somebody whom permissions stop: ourselves, or nobody when we are root. */
const asSomebody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

function asPerson(project: TestProject, words: string[]): Promise<Finished> {
  const [program = '', ...args] = [...asSomebody, process.execPath, CLI, ...words]
  const env = { PATH: process.env['PATH'] ?? '', HOME: project.outside, REPRISE_HOME: join(project.outside, 'data') }
  return finish(spawn(program, args, { cwd: '/', env }))
}

async function canBeSomebody(): Promise<boolean> {
  if (process.platform === 'win32') return false
  const [program = '', ...args] = [...asSomebody, process.execPath, CLI, '--version']
  return new Promise((resolve) => {
    spawn(program, args, { cwd: '/', stdio: 'ignore' })
      .on('error', () => resolve(false))
      .on('close', (code) => resolve(code === 0))
  })
}

describe.runIf(await canBeSomebody())('without permission', () => {
  let project: TestProject
  beforeAll(async () => {
    project = new TestProject()
    project.write('good.js', `return agent('hello')`)
    project.write('.claude/workflows/triage.js', 'return 1')
    await project.run(['run', 'good.js', '--agent', 'simulated'])
    for (const folder of [project.folder, project.outside]) chmodSync(folder, 0o755)
  })
  afterAll(() => project.remove())

  const script = () => join(project.folder, 'good.js')
  async function expectRefused(words: string[], code: string, says: RegExp): Promise<void> {
    const before = listing(project.folder, project.outside)
    const finished = await asPerson(project, [...words, '--project', project.folder, '--json'])
    expect(finished.stderr).toMatch(says)
    expect(finished.stderr.split('\n')).toHaveLength(2)
    expect(JSON.parse(finished.stdout)).toMatchObject({ status: 'refused', error: { code } })
    expect(finished.code).toBe(2)
    expect(listing(project.folder, project.outside)).toEqual(before)
  }
  async function withMode(path: string, mode: number, look: () => Promise<void>): Promise<void> {
    chmodSync(path, mode)
    try {
      await look()
    } finally {
      chmodSync(path, 0o755)
    }
  }

  test('a runs folder that can be read and not written is named, and what can be read is shown', async () => {
    await withMode(project.runsFolder, 0o555, async () => {
      await expectRefused(
        ['run', script(), '--agent', 'simulated'],
        'no-permission',
        /No permission to write .*workflow-runs\. Allow it, then retry\./,
      )
    })
    const before = listing(project.folder)
    expect(await asPerson(project, ['list', '--project', project.folder])).toMatchObject({ code: 0, stderr: '' })
    expect(await asPerson(project, ['show', 'last', '--project', project.folder])).toMatchObject({ code: 0, stderr: '' })
    expect(await asPerson(project, ['plan', 'last', '--project', project.folder])).toMatchObject({ code: 0, stderr: '' })
    expect(listing(project.folder)).toEqual(before)
  })

  test('a runs folder that can’t be opened is named', async () => {
    await withMode(project.runsFolder, 0o700, async () => {
      if (asSomebody.length === 0) chmodSync(project.runsFolder, 0o000)
      for (const words of [['list'], ['show', 'last'], ['resume', 'last'], ['run', script(), '--agent', 'simulated']]) {
        await expectRefused(words, 'project-unwritable', /workflow-runs.*: no permission\. Allow it, then try again\./)
      }
    })
  })

  test('a project folder that can’t be opened is named', async () => {
    await withMode(project.folder, 0o000, async () => {
      for (const words of [['list'], ['show', 'last']]) {
        const finished = await asPerson(project, [...words, '--project', project.folder])
        expect(finished).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringMatching(/^reprise: .* can't be opened: no permission\..*\n$/),
        })
      }
      const named = await asPerson(project, ['run', 'triage', '--project', project.folder])
      expect(named).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/can't be read: no permission\./) })
    })
  })

  test('a script that can’t be read is named', async () => {
    await withMode(script(), 0o000, async () => {
      const finished = await asPerson(project, ['run', script(), '--project', project.folder])
      expect(finished).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/good\.js can't be read: no permission\. /) })
    })
  })
})

describe('a runs folder that is none', () => {
  let project: TestProject
  beforeAll(() => {
    project = new TestProject()
    mkdirSync(join(project.folder, 'sub dir'))
    project.write('good.js', `return agent('hello')`)
    mkdirSync(join(project.outside, 'elsewhere'))
  })
  afterAll(() => project.remove())
  const words = [['run', '../good.js', '--agent', 'simulated'], ['list'], ['resume', 'last']]

  test('a link that leaves the project is refused, to read as well, and nothing is written behind it', async () => {
    symlinkSync(join(project.outside, 'elsewhere'), project.runsFolder)
    const before = listing(project.folder, project.outside)
    for (const told of await inParallel(words, (one) => tell(project, one))) {
      expect(told).toMatchObject({ code: 2, document: { error: { code: 'project-unwritable' } } })
      expect(told.lines).toEqual([
        expect.stringMatching(/workflow-runs leads out of the project, so it is not used\. Make it a real folder\.$/),
      ])
    }
    expect(listing(project.folder, project.outside)).toEqual(before)
    rmSync(project.runsFolder)
  })

  test('a file in its place is named', async () => {
    writeFileSync(project.runsFolder, '')
    const before = listing(project.folder, project.outside)
    for (const told of await inParallel(words, (one) => tell(project, one))) {
      expect(told).toMatchObject({ code: 2, document: { error: { code: 'project-unwritable' } } })
      expect(told.lines).toEqual([expect.stringMatching(/workflow-runs is no folder\. Move it away\.$/)])
    }
    expect(listing(project.folder, project.outside)).toEqual(before)
  })
})
