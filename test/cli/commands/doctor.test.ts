import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import { claimRunning, deadOwner, fileOf, startedRun, tempFolder } from '../../store/run-fixtures.ts'
import { fakeIo } from '../fake-io.ts'
import { fakeService } from '../fake-service.ts'

async function doctor(project: string, ...argv: string[]) {
  const screen = fakeIo({ cwd: project })
  const code = await main(['doctor', '--project', project, ...argv], screen.io, fakeService({}).open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr() }
}

test('a project in order has no problems', async () => {
  const project = tempFolder()
  mkdirSync(join(project, '.claude'))
  expect(await doctor(project)).toEqual({ code: 0, stdout: '', stderr: 'No problems.\n' })
})

test('without --fix it says what is wrong and what a repair would do, and exits with 1', async () => {
  const { project, runId } = await startedRun(deadOwner())
  claimRunning(project, runId)
  const { code, stdout, stderr } = await doctor(project)
  expect(code).toBe(1)
  expect(stdout).toContain('--fix: List it as interrupted. [dead-owner]')
  expect(stderr).toBe('1 problem left.\n')
})

test('with --fix it repairs what is safe and exits with 0 when nothing is left', async () => {
  const { project, runId } = await startedRun(deadOwner())
  claimRunning(project, runId)
  const { code, stdout, stderr } = await doctor(project, '--fix')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '0 problems left, 1 fixed.\n' })
  expect(stdout).toMatch(/^fixed {2}.*\[dead-owner\]\n$/)
  expect((await doctor(project)).code).toBe(0)
})

test('what no repair can mend stays a problem, also as JSON', async () => {
  const { project, runId } = await startedRun(deadOwner())
  rmSync(fileOf(project, runId, 'run.json'))
  const { code, stdout } = await doctor(project, '--fix', '--json')
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ problems: 1, fixed: 0, findings: [{ kind: 'damaged-run', runId, fix: null }], repaired: [] })
})
