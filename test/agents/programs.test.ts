import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askLoginPath, joinedPath, keptLoginPath, refreshLoginPath } from '../../main/agents/login-path.ts'
import { Programs } from '../../main/agents/programs.ts'
import { linesOf, temporaryFolder } from './process-fixture.ts'

function program(folder: string, name: string, text = '#!/bin/sh\n'): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  chmodSync(file, 0o755)
  return file
}

/** A login shell that counts how often it is asked, chats, and has one folder more. */
function world(shellText?: string) {
  const [data, home, project] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const asked = join(home, 'asked')
  const text =
    shellText ?? `#!/bin/sh\necho asked >> "${asked}"\necho Welcome\nPATH="${bin}:/usr/bin:/bin"\nexport PATH\nexec /bin/sh -c "$2"\n`
  const env = { PATH: '/usr/bin:/bin', SHELL: program(home, 'login-shell', text) }
  return { data, bin, project, asked, env, programs: () => new Programs({ project, data, env }) }
}

test('a program that only the login shell knows is found, and the shell is asked once for all times', async () => {
  const { data, bin, asked, programs } = world()
  const claude = program(bin, 'claude')
  expect(await programs().look('claude')).toBe(null)
  expect(await programs().find('claude')).toBe(claude)
  expect(await programs().find('claude')).toBe(claude)
  expect(await keptLoginPath(data)).toBe(`${bin}:/usr/bin:/bin`)
  expect(linesOf(asked)).toEqual(['asked'])
  expect(await programs().path()).toBe(`/usr/bin:/bin:${bin}`)
})

test('the login shell is asked again once a day, and no oftener', async () => {
  const { data, asked, env } = world()
  await refreshLoginPath(data, env)
  await refreshLoginPath(data, env)
  expect(linesOf(asked)).toHaveLength(1)
  await refreshLoginPath(data, env, Date.now() + 25 * 3_600_000)
  expect(linesOf(asked)).toHaveLength(2)
})

test('a login shell that hangs is given up and ended', async () => {
  const { data, env } = world('#!/bin/sh\nsleep 1000\n')
  expect(await askLoginPath(data, env, 200)).toBe(null)
  expect(await keptLoginPath(data)).toBe(null)
})

test('a program that our own PATH has needs no shell', async () => {
  const { asked, programs } = world()
  expect(await programs().find('sh')).toMatch(/\/sh$/)
  expect(linesOf(asked)).toBe(null)
})

test('a program that is nowhere is named, with the words of what is missing', async () => {
  const { programs, project } = world()
  await expect(programs().find('claude')).rejects.toMatchObject({
    code: 'agent-unreachable',
    message: "Can't start `claude`: not found on PATH. Nothing was lost.",
  })
  await expect(programs().find('./agent')).rejects.toMatchObject({
    message: "Can't start `./agent`: there is no such program. Nothing was lost.",
  })
  const file = program(project, 'agent')
  expect(await programs().find('./agent')).toBe(file)
  chmodSync(file, 0o644)
  await expect(programs().find('./agent')).rejects.toMatchObject({ code: 'agent-unreachable' })
})

test('a login shell that says nothing of use is not believed', async () => {
  const { data, programs } = world('#!/bin/sh\necho nothing\nexit 3\n')
  await expect(programs().find('claude')).rejects.toMatchObject({ code: 'agent-unreachable' })
  expect(await keptLoginPath(data)).toBe(null)
})

test('folders that the terminal has chosen come before those of the login shell, each once', () => {
  expect(joinedPath('/a:/b::rel', '/b:/c')).toBe('/a:/b:/c')
  expect(joinedPath(undefined, null)).toBe('')
})
