import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCheck, runCheck, simulatedCheck } from '../../main/agents/check.ts'
import type { AgentEvent } from '../../main/engine/ports.ts'
import type { Json } from '../../shared/json.ts'

const NODE = process.execPath
const project = mkdtempSync(join(tmpdir(), 'reprise check '))
mkdirSync(join(project, 'inner'))
symlinkSync(tmpdir(), join(project, 'way-out'))

function run(request: Json, signal = new AbortController().signal) {
  const read = readCheck(request)
  if (read === null) throw new Error('no check')
  const env = { PATH: process.env['PATH'] ?? '', REPRISE_RUN: 'RUN', REPRISE_CALL: '1', REPRISE_PROJECT: '/project' }
  return runCheck(read, project, { signal, env, onEvent: () => undefined, onSpawn: () => undefined })
}

describe('a check', () => {
  test('tells how a command exited and what it wrote; failing is a result', async () => {
    const script = 'console.log("out"); console.error("err"); process.exit(3)'
    expect(await run({ command: [NODE, '-e', script] })).toMatchObject({
      kind: 'ok',
      output: { exitCode: 3, stdout: 'out\n', stderr: 'err\n', durationMs: expect.any(Number) },
    })
  })

  test('of a command that a signal ended gives 128 and its number', async () => {
    expect(await run({ command: [NODE, '-e', 'process.kill(process.pid, "SIGKILL")'] })).toMatchObject({ output: { exitCode: 137 } })
  })

  test('uses a shell only when it is told to', async () => {
    expect(await run({ command: ['echo', '$HOME', '|'] })).toMatchObject({ output: { stdout: '$HOME |\n' } })
    expect(await run({ command: 'echo a | tr a b', shell: true })).toMatchObject({ output: { stdout: 'b\n' } })
    expect(readCheck({ command: 'echo a' })).toBeNull()
  })

  test('works in a folder of the project and in no other, links included', async () => {
    expect(await run({ command: ['pwd'], cwd: 'inner' })).toMatchObject({ output: { stdout: expect.stringMatching(/inner\n$/) } })
    for (const cwd of ['..', '/', 'way-out', 'missing']) {
      expect(await run({ command: ['pwd'], cwd })).toMatchObject({ kind: 'dead', reason: 'refused' })
    }
  })

  test('sees the variables that it was given, and ours stay ours', async () => {
    const command = [NODE, '-p', 'process.env.A + process.env.REPRISE_RUN']
    expect(await run({ command, env: { A: 'a', REPRISE_RUN: 'other' } })).toMatchObject({ output: { stdout: 'aRUN\n' } })
    const place = [NODE, '-p', 'process.env.REPRISE_PROJECT']
    expect(await run({ command: place, env: { REPRISE_PROJECT: 'other' } })).toMatchObject({ output: { stdout: '/project\n' } })
  })

  test('that can not be started has died, with the reason', async () => {
    expect(await run({ command: ['no-such-program-here'] })).toMatchObject({
      kind: 'dead',
      detail: expect.stringContaining('no-such-program-here'),
    })
  })

  test('in a simulated run starts nothing, passes, and says so', () => {
    const events: AgentEvent[] = []
    expect(simulatedCheck({ onEvent: (event) => events.push(event) })).toMatchObject({ output: { exitCode: 0, stdout: '', stderr: '' } })
    expect(events).toMatchObject([{ kind: 'notice', text: expect.stringContaining('not run') }])
  })
})
