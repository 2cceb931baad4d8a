import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import { fakeIo } from '../fake-io.ts'
import { fakeService } from '../fake-service.ts'
import { temporaryFolder } from '../temporary-folder.ts'

function project() {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, '.git'))
  return cwd
}

async function create(cwd: string, ...argv: string[]) {
  const screen = fakeIo({ cwd })
  const fake = fakeService()
  const code = await main(['new', ...argv], screen.io, fake.open)
  expect(fake.opened()).toBe(0)
  return { code, stdout: screen.stdout(), stderr: screen.stderr() }
}

test('a starter is written, and the next command is named', async () => {
  const cwd = project()
  const { code, stdout, stderr } = await create(cwd, 'triage')
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toBe(
    'Wrote .claude/workflows/triage.ts\nTry it: reprise run triage --agent simulated\nTypes for your editor: reprise types --write\n',
  )
  expect(readFileSync(join(cwd, '.claude/workflows/triage.ts'), 'utf8')).toContain("name: 'triage'")
  expect(JSON.parse((await create(cwd, 'second', '--json')).stdout)).toEqual({ path: join(cwd, '.claude/workflows/second.ts') })
})

test.each([
  ['../x'],
  ['a/b'],
  ['a\\b'],
  ['.'],
  ['..'],
  [''],
  ['.hidden'],
  ['a b'],
  ['a\u0000b'],
  ['x'.repeat(65)],
  ['globals'],
  ['triage.ts'],
])('the name %j is refused and nothing is written', async (name) => {
  const cwd = project()
  expect(await create(cwd, name)).toMatchObject({ code: 2, stderr: expect.stringMatching(/^reprise: “.*can't be the name of a workflow/) })
  expect(existsSync(join(cwd, '.claude'))).toBe(false)
})

test('a name with an ending is answered with the right command', async () => {
  expect((await create(project(), 'triage.ts')).stderr).toContain('Leave the ending out: reprise new triage\n')
})

test.each([['triage.ts'], ['triage.js'], ['triage.workflow.mjs']])('an existing %s is left alone', async (file) => {
  const cwd = project()
  const folder = join(cwd, '.claude/workflows')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), 'mine')
  expect(await create(cwd, 'triage')).toMatchObject({ code: 2, stderr: expect.stringContaining(`${file} exists already`) })
  expect(readdirSync(folder)).toEqual([file])
  expect(readFileSync(join(folder, file), 'utf8')).toBe('mine')
})
