import { expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import type { Diagnostic } from '../../../main/engine/source/check-script.ts'
import { AppError } from '../../../shared/errors.ts'
import { fakeIo } from '../fake-io.ts'
import { fakeService, preflight } from '../fake-service.ts'

const error: Diagnostic = { severity: 'error', code: 'script-syntax', message: 'unexpected )', line: 14, column: 3 }
const warning: Diagnostic = { severity: 'warning', code: 'undeclared', message: 'x is not declared', line: 2, column: 5 }

async function check(findings: Readonly<Record<string, Diagnostic[]>>, ...argv: string[]) {
  const fake = fakeService({
    preflight: async (_, target) => {
      const path = 'path' in target ? target.path : `/nowhere/.claude/workflows/${target.name}.ts`
      const diagnostics = findings[path]
      if (diagnostics === undefined) throw new AppError('file-missing', `There is no file ${path}.`)
      return { ...preflight, path, diagnostics }
    },
  })
  const screen = fakeIo()
  const code = await main(['check', ...argv], screen.io, fake.open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr() }
}

test('findings are lines with file, line, column, kind and code, in the order of the file', async () => {
  const { code, stdout, stderr } = await check({ '/nowhere/a.ts': [error, warning] }, 'a.ts')
  expect(code).toBe(2)
  expect(stdout).toBe('a.ts:2:5: warning x is not declared [undeclared]\na.ts:14:3: error unexpected ) [script-syntax]\n')
  expect(stderr).toBe('1 file checked: 1 error, 1 warning.\n')
})

test('warnings alone are exit 0', async () => {
  expect((await check({ '/nowhere/a.ts': [warning] }, 'a.ts')).code).toBe(0)
})

test('a clean file says so on stderr and leaves stdout empty', async () => {
  expect(await check({ '/nowhere/a.ts': [] }, 'a.ts')).toEqual({ code: 0, stdout: '', stderr: '1 file checked: no problems.\n' })
})

test('a file that is missing hides no other', async () => {
  const { code, stdout } = await check({ '/nowhere/b.ts': [warning] }, './a.ts', 'b.ts')
  expect(code).toBe(2)
  expect(stdout).toBe('./a.ts: error There is no file /nowhere/a.ts. [file-missing]\nb.ts:2:5: warning x is not declared [undeclared]\n')
})

test('a named workflow can be checked by its name', async () => {
  expect((await check({ '/nowhere/.claude/workflows/triage.ts': [warning] }, 'triage')).stdout).toContain('.claude/workflows/triage.ts:2:5')
})

test('--json is one document for all files', async () => {
  const { code, stdout } = await check({ '/nowhere/a.ts': [error] }, 'a.ts', 'b.ts', '--json')
  expect(code).toBe(2)
  expect(JSON.parse(stdout)).toMatchObject({
    errors: 2,
    warnings: 0,
    files: [
      { file: 'a.ts', title: 'triage', diagnostics: [error], uses: { defaultAgent: false } },
      { file: 'b.ts', title: null, diagnostics: [], error: { code: 'file-missing' } },
    ],
  })
})

test('no file is a wrong usage', async () => {
  expect(await check({})).toMatchObject({ code: 2, stderr: expect.stringContaining('See: reprise help check') })
})
