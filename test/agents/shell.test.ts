import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { callMarks, childEnvironment, marksOf } from '../../main/agents/child-environment.ts'
import { OUTPUT_CAP_BYTES } from '../../main/agents/output-capture.ts'
import { isAlive, startTimeOf } from '../../main/agents/process-tree.ts'
import { commandLine, ShellRunner } from '../../main/agents/shell.ts'
import { agentCall, linesOf, recording, temporaryFolder, until } from './process-fixture.ts'

const shell = new ShellRunner()

async function output(prompt: string): Promise<unknown> {
  const outcome = await shell.run(agentCall(prompt), recording().context)
  return outcome.kind === 'ok' ? outcome.output : outcome
}

describe('what a command answers', () => {
  test('is its output without the last newline', async () => {
    expect(await output("printf 'one\\ntwo\\n'")).toBe('one\ntwo')
    expect(await output('printf "  spaces stay  "')).toBe('  spaces stay  ')
    expect(await output('true')).toBe('')
  })

  test('costs no tokens and names its process with its start time before it ends', async () => {
    const { context, children } = recording()
    const folder = temporaryFolder()
    const running = shell.run(agentCall(`echo $$ > "${folder}/pid"; read line < /dev/null; echo done`), context)
    const child = await until(() => children[0], 'the child is told')
    expect(child.startTime).toBeGreaterThan(0)
    expect(await running).toEqual({ kind: 'ok', output: 'done', usage: { inputTokens: 0, outputTokens: 0 }, cost: null })
    expect(linesOf(join(folder, 'pid'))).toEqual([String(child.pid)])
  })

  test('is parsed when a schema is given, and stays text when it is no JSON', async () => {
    const json = await shell.run(agentCall(`echo '{"a": [1]}'`, { schema: { type: 'object' } }), recording().context)
    expect(json).toMatchObject({ kind: 'ok', output: { a: [1] } })
    const text = await shell.run(agentCall('echo no json', { schema: { type: 'object' } }), recording().context)
    expect(text).toMatchObject({ kind: 'ok', output: 'no json\n' })
  })

  test('is an error with the exit code and the last lines of stderr when it fails', async () => {
    const outcome = await shell.run(agentCall('echo fine; for i in $(seq 50); do echo "line $i" >&2; done; exit 3'), recording().context)
    expect(outcome).toMatchObject({ kind: 'dead', reason: 'agent-error', retryable: false })
    const detail = 'detail' in outcome ? outcome.detail : ''
    expect(detail).toMatch(/^The command exited with 3: line 31\n/)
    expect(detail).toMatch(/line 50$/)
  })

  test('names the signal that ended it, and a folder that is missing', async () => {
    expect(await output('kill -9 $$')).toMatchObject({ kind: 'dead', detail: 'The command was ended by SIGKILL and wrote nothing' })
    const outcome = await shell.run(agentCall('true', { cwd: '/no/such/folder' }), recording().context)
    expect(outcome).toMatchObject({ kind: 'dead', detail: expect.stringContaining('/no/such/folder') })
  })

  test('is whole up to the cap; beyond it the answer says how much is missing', async () => {
    const large = (await output(`head -c ${OUTPUT_CAP_BYTES} /dev/zero | tr '\\0' x`)) as string
    expect(large.length).toBe(OUTPUT_CAP_BYTES)
    const { context, events } = recording()
    const outcome = await shell.run(agentCall(`head -c ${OUTPUT_CAP_BYTES + 5} /dev/zero | tr '\\0' x`), context)
    const cut = 'output' in outcome ? String(outcome.output) : ''
    expect(cut.slice(OUTPUT_CAP_BYTES)).toBe('\n[Output cut after 10 MB; 5 bytes more were written]')
    expect(events.at(-1)).toEqual({ kind: 'notice', text: 'Output cut after 10 MB; 5 bytes more were written' })
  })

  test('settles soon after its exit even when something that it started holds its output', async () => {
    const folder = temporaryFolder()
    const start = performance.now()
    expect(await output(`(echo $$; sleep 30) & echo $! > "${folder}/pid"; echo answer`)).toMatch(/answer/)
    expect(performance.now() - start).toBeLessThan(5000)
    process.kill(Number((linesOf(join(folder, 'pid')) ?? [])[0]), 'SIGKILL')
  })

  test('does not wait for input: there is none', async () => {
    expect(await output('cat; echo end')).toBe('end')
  })
})

describe('what is seen while a command runs', () => {
  test('characters that arrive in halves are shown whole', async () => {
    const { context, events } = recording()
    const outcome = await shell.run(
      agentCall("printf 'a\\303'; sleep 0.2; printf '\\244b\\360\\237'; sleep 0.2; printf '\\230\\200\\n'"),
      context,
    )
    expect(outcome).toMatchObject({ output: 'aäb😀' })
    expect(events).toEqual([{ kind: 'text', text: 'aäb😀' }])
  })

  test('lines come without terminal escapes, redrawn ones in their last state, errors as notices', async () => {
    const { context, events } = recording()
    await shell.run(agentCall("printf '\\033[31mred\\033[0m\\n10%%\\r100%%\\n\\033]0;title\\007done\\n'; echo oops >&2"), context)
    expect(events.filter((event) => event.kind === 'text').map((event) => event.text)).toEqual(['red', '100%', 'done'])
    expect(events.filter((event) => event.kind === 'notice').map((event) => event.text)).toEqual(['oops'])
  })

  test('a flood of lines stops being shown, and that is said, while the answer keeps all of it', async () => {
    const { context, events } = recording()
    const outcome = await shell.run(agentCall('seq 5000'), context)
    expect(String('output' in outcome ? outcome.output : '').split('\n').length).toBe(5000)
    expect(events.length).toBe(2001)
    expect(events.at(-1)?.text).toBe('More lines follow; they are kept but not shown here.')
  })
})

describe('the environment of a command', () => {
  test('holds what programs need, the run and the call, and no secret', async () => {
    const source = { ...process.env, SECRET_TOKEN: 's3cret', ANTHROPIC_API_KEY: 'k', LC_TIME: 'C', TZ: 'UTC' }
    const { context } = recording({ env: childEnvironment(source, { runId: 'R1', call: 7 }) })
    const outcome = await shell.run(agentCall('env'), context)
    const names = String('output' in outcome ? outcome.output : '').split('\n')
    expect(names).toEqual(expect.arrayContaining(['REPRISE_RUN=R1', 'REPRISE_CALL=7', 'LC_TIME=C', 'TZ=UTC', `PATH=${process.env.PATH}`]))
    expect(names.join('\n')).not.toMatch(/s3cret|ANTHROPIC|VITEST|NODE_/)
  })

  test('says for whom it works, and what a command sets itself changes nothing of that', async () => {
    const env = childEnvironment(process.env, { runId: 'R1', call: 7, project: '/a' }, { set: { REPRISE_PROJECT: '/b' } })
    const marks = { REPRISE_RUN: 'R1', REPRISE_CALL: '7', REPRISE_PROJECT: '/a' }
    expect(env).toMatchObject(marks)
    expect([callMarks(env), marksOf({ runId: 'R1', call: 7, project: '/a' })]).toEqual([marks, marks])
    // A process that serves many calls is not ended with one of them.
    expect(callMarks({ REPRISE_RUN: 'R1', REPRISE_PROJECT: '/a' })).toEqual({})
  })

  test('is allow-listed without regard to case on Windows', () => {
    const env = childEnvironment({ Path: 'p', SystemRoot: 'r', Secret: 's' }, { runId: 'R', call: 1 }, {}, 'win32')
    expect(env).toEqual({ Path: 'p', SystemRoot: 'r', REPRISE_RUN: 'R', REPRISE_CALL: '1' })
  })

  test('a command line is run by cmd on Windows, word for word', () => {
    expect(commandLine('dir "a b"', { ComSpec: 'C:\\cmd.exe' }, 'win32')).toEqual({
      ...{ file: 'C:\\cmd.exe', args: ['/d', '/s', '/c', '"dir "a b""'], verbatim: true },
    })
  })
})

describe('stopping a command', () => {
  /** Each line of the file is the pid of one process that must be gone. */
  async function aliveAfterStop(script: string, processes: number): Promise<{ ms: number }> {
    const folder = temporaryFolder()
    const file = join(folder, 'program.sh')
    writeFileSync(file, script)
    const { context, stop } = recording()
    const running = shell.run(agentCall(`exec sh program.sh`, { cwd: folder }), context)
    const pids = (await until(() => linesOf(join(folder, 'pids'), processes), 'all processes have started')).map(Number)
    const processesSeen = pids.map((pid) => ({ pid, startTime: startTimeOf(pid) }))
    expect(processesSeen.every((seen) => isAlive(seen))).toBe(true)
    const start = performance.now()
    stop.abort()
    expect(await running).toEqual({ kind: 'cancelled' })
    const ms = performance.now() - start
    await until(() => processesSeen.every((seen) => !isAlive(seen)), 'all processes are gone', 5000)
    return { ms }
  }

  test('ends it at once when it obeys', async () => {
    const { ms } = await aliveAfterStop('echo $$ >> pids; exec sleep 60', 1)
    expect(ms).toBeLessThan(1000)
  })

  test('leaves nothing alive of a program that ignores the polite signal and has a grandchild in a session of its own', async () => {
    const script = `trap '' TERM
echo $$ >> pids
sh -c 'trap "" TERM; echo $$ >> pids; sleep 61; sleep 61' &
setsid sh -c 'trap "" TERM; echo $$ >> pids; sleep 62; sleep 62' &
wait; sleep 63; sleep 63`
    const { ms } = await aliveAfterStop(script, 3)
    expect(ms).toBeLessThan(4500)
  })

  test('finds a process again that cut every tie to its parents', async () => {
    await aliveAfterStop(`sh -c 'setsid sh -c "echo \\$\\$ >> pids; sleep 64" > /dev/null 2>&1 &'\necho $$ >> pids; sleep 65`, 2)
  })

  test('that has not started starts nothing', async () => {
    const { context, children, stop } = recording()
    stop.abort()
    expect(await shell.run(agentCall('echo never'), context)).toEqual({ kind: 'cancelled' })
    expect(children).toEqual([])
  })
})
