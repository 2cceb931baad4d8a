import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readProjectProfiles, readUserProfiles } from '../../main/agents/profile-files.ts'
import { temporaryFolder } from './process-fixture.ts'

function project(text: string): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.claude'))
  writeFileSync(join(folder, '.claude', 'reprise.json'), text)
  return folder
}

async function problems(text: string): Promise<string[]> {
  const folder = project(text)
  const { problems } = await readProjectProfiles(folder)
  return problems.map(({ message }) => message.replace(`${join(folder, '.claude')}/`, ''))
}

test('profiles come from settings.json of the app and from reprise.json of the project', async () => {
  const data = temporaryFolder()
  const mine = { name: 'mine', backend: 'command', command: 'my-agent' }
  writeFileSync(join(data, 'settings.json'), JSON.stringify({ schemaVersion: 1, data: { theme: 'dark', profiles: [mine] } }))
  expect((await readUserProfiles(data)).profiles).toEqual([
    {
      profile: { ...mine, permissions: 'ask', options: { input: 'stdin', output: 'text' } },
      source: 'user',
      file: join(data, 'settings.json'),
    },
  ])
  const file = await readProjectProfiles(
    project('\uFEFF{"profiles": [{"name": "c2", "backend": "claude", "permissions": "full"}], "other": 1}'),
  )
  expect(file).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), problems: [] })
  expect(file.profiles).toMatchObject([{ source: 'project', profile: { name: 'c2', permissions: 'full', options: {} } }])
})

test('a file that is not there says nothing, and one without profiles has none', async () => {
  expect(await readProjectProfiles(temporaryFolder())).toMatchObject({ sha256: null, profiles: [], problems: [] })
  expect(await readProjectProfiles(project('{}'))).toMatchObject({ profiles: [], problems: [] })
})

describe('a profile that is wrong is an error with its file and line', () => {
  test('where the text is no JSON', async () => {
    expect(await problems('{\n  "profiles": [\n    {"name": "a",}\n  ]\n}')).toEqual([
      'reprise.json:3:18: this is not JSON; expected a name in double quotes.',
    ])
  })

  test('where a value does not fit, a row is missing or unknown', async () => {
    expect(await problems('{"profiles": [\n{"name": "a", "backend": "claude",\n "permissions": "everything"}]}')).toEqual([
      expect.stringMatching(/^reprise\.json:3: profile “a”, permissions: .*"ask"\|"allow-listed"\|"full"/),
    ])
    expect(await problems('{"profiles": [\n\n{"name": "a", "backend": "command"}]}')).toEqual([
      expect.stringMatching(/^reprise\.json:3: profile “a”, command: /),
    ])
    expect(await problems('{"profiles": [{"name": "a", "backend": "claude",\n "comand": "x"}]}')).toEqual([
      'reprise.json:2: profile “a”, “comand” is no row of a profile of this backend.',
    ])
    expect(await problems('{"profiles": {"a": 1}}')).toEqual([expect.stringMatching(/^reprise\.json:1: is a list of profiles/)])
  })

  test('where a name is taken, and the others of the file still count', async () => {
    const text =
      '{"profiles": [{"name": "shell", "backend": "claude"},\n{"name": "b", "backend": "claude"},\n{"name": "b", "backend": "codex"}]}'
    expect(await problems(text)).toEqual(['reprise.json:1: “shell” is built in; use another name.', 'reprise.json:3: “b” is there twice.'])
    expect((await readProjectProfiles(project(text))).profiles.map(({ profile }) => profile.name)).toEqual(['b'])
  })

  test('where a limit on money could not be kept, since nobody can tell what the agent costs', async () => {
    const profile = { name: 'a', backend: 'codex', maxCostPerDay: 5 }
    expect(await problems(JSON.stringify({ profiles: [profile] }))).toEqual([
      expect.stringContaining('maxCostPerDay: nobody can tell what it costs; give it “pricing” too'),
    ])
    expect(await problems(JSON.stringify({ profiles: [{ ...profile, pricing: { inputPerMillion: 1, outputPerMillion: 2 } }] }))).toEqual([])
  })

  test('where a pattern is no regular expression', async () => {
    const options = { usage: { outputTokens: '(' } }
    const text = JSON.stringify({ profiles: [{ name: 'a', backend: 'command', command: 'x', options }] })
    expect(await problems(text)).toEqual([expect.stringContaining('options.usage.outputTokens: is no regular expression')])
  })
})
