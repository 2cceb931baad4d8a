import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { EXITS } from '../../main/cli/command.ts'
import { COMMANDS } from '../../main/cli/commands.ts'
import { main } from '../../main/cli/main.ts'
import { VERSION } from '../../shared/version.ts'
import { fakeIo } from './fake-io.ts'
import { fakeService } from './fake-service.ts'

async function reprise(...argv: string[]) {
  const screen = fakeIo()
  const fake = fakeService()
  const code = await main(argv, screen.io, fake.open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr(), opened: fake.opened() }
}

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  expect(VERSION).toBe(version)
  expect(await reprise('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '', opened: 0 })
  expect((await reprise('run', '--version')).stdout).toBe(`${version}\n`)
})

test.each([[[]], [['--help']], [['-h']], [['help']]])('%j lists every command on stdout, without loading the service', async (argv) => {
  const { code, stdout, stderr, opened } = await reprise(...argv)
  expect({ code, stderr, opened }).toEqual({ code: 0, stderr: '', opened: 0 })
  for (const { name, purpose } of COMMANDS) {
    expect(stdout).toContain(`  ${name}`)
    expect(stdout).toContain(purpose)
  }
})

test.each(COMMANDS.map((command) => [command.name, command] as const))(
  'the help of “%s” has its purpose, usage, options and examples',
  async (name, command) => {
    const asked = await reprise(name, '--help')
    const looked = await reprise('help', name)
    expect(asked).toEqual(looked)
    expect({ code: asked.code, stderr: asked.stderr, opened: asked.opened }).toEqual({ code: 0, stderr: '', opened: 0 })
    expect(asked.stdout).toContain(command.purpose)
    expect(asked.stdout).toContain(`  reprise ${name}`)
    for (const option of Object.keys(command.options)) expect(asked.stdout).toContain(`--${option}`)
    for (const [exit, meaning] of (command as { exits?: typeof EXITS }).exits ?? EXITS)
      expect(asked.stdout).toMatch(new RegExp(`^  ${exit} +${meaning}`, 'm'))
    expect(command.examples.length).toBeGreaterThanOrEqual(2)
    for (const { line } of command.examples) expect(asked.stdout).toContain(line)
  },
)

test('the README names every command', () => {
  const text = readFileSync('README.md', 'utf8')
  for (const { name } of COMMANDS) expect(text, name).toMatch(new RegExp(`^\\| .*\`${name}\\b`, 'm'))
})

test('help wins over everything else that is wrong', async () => {
  expect((await reprise('run', '--nonsense', '--help')).code).toBe(0)
})

test('an unknown command is one line with the nearest one, and exit 2', async () => {
  const { code, stdout, stderr, opened } = await reprise('resmue')
  expect({ code, stdout, opened }).toEqual({ code: 2, stdout: '', opened: 0 })
  expect(stderr).toBe('reprise: There is no command “resmue”. Did you mean “resume”? See: reprise help\n')
  expect((await reprise('help', 'xyzzy')).stderr).toBe('reprise: There is no command “xyzzy”. See: reprise help\n')
})

test('an unknown option is one line with the nearest one and the help to read', async () => {
  const { code, stderr, opened } = await reprise('run', 'triage', '--budgte', '5')
  expect({ code, opened }).toEqual({ code: 2, opened: 0 })
  expect(stderr).toBe('reprise: “reprise run” has no option --budgte. Did you mean --budget? See: reprise help run\n')
})

test('a wrong usage with --json is the one document on stdout', async () => {
  const { code, stdout } = await reprise('run', '--json')
  expect(code).toBe(2)
  expect(JSON.parse(stdout)).toEqual({
    status: 'refused',
    error: { code: 'usage', message: expect.stringContaining('needs a script file') },
  })
})

test('global options may stand before the command', async () => {
  const { code, stdout } = await reprise('--json', '--project', '.', 'list')
  expect({ code, stdout }).toEqual({ code: 2, stdout: expect.stringContaining('project-missing') })
  expect((await reprise('--json', 'list')).stdout).toBe('[]\n')
})

test('an error that nobody foresaw is one line, and its stack is shown with --verbose', async () => {
  const fail = async () => {
    throw new TypeError('x is undefined')
  }
  const quiet = fakeIo()
  expect(await main(['list'], quiet.io, fail)).toBe(1)
  expect(quiet.stderr()).toBe('reprise: this is a fault of Reprise itself: x is undefined. Run again with --verbose for the details.\n')
  const loud = fakeIo()
  await main(['list', '--verbose'], loud.io, fail)
  expect(loud.stderr()).toContain('main.test.ts')
})
