import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Catalog } from '../../main/agents/catalog.ts'
import { defaultConcurrency } from '../../main/agents/profiles.ts'
import { Programs } from '../../main/agents/programs.ts'
import { Profile } from '../../shared/contract/agents.ts'
import { temporaryFolder } from './process-fixture.ts'

interface World {
  /** Programs on the PATH. */
  programs?: string[]
  user?: object[]
  project?: object[]
  definitions?: { [file: string]: string }
}

async function catalog(world: World = {}): Promise<Catalog> {
  const [project, data, bin] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  mkdirSync(join(project, '.claude', 'agents'), { recursive: true })
  for (const name of world.programs ?? []) {
    writeFileSync(join(bin, name), '#!/bin/sh\n')
    chmodSync(join(bin, name), 0o755)
  }
  if (world.user) writeFileSync(join(data, 'settings.json'), JSON.stringify({ schemaVersion: 1, data: { profiles: world.user } }))
  if (world.project) writeFileSync(join(project, '.claude', 'reprise.json'), JSON.stringify({ profiles: world.project }))
  for (const [name, text] of Object.entries(world.definitions ?? {})) writeFileSync(join(project, '.claude', 'agents', name), text)
  return Catalog.read({ project, data, programs: new Programs({ project, data, env: { PATH: bin } }) })
}

test('agents that need no set-up are there always, the others when their program is', async () => {
  expect((await catalog()).names).toEqual(['general-purpose', 'Explore', 'Plan', 'shell', 'simulated'])
  const found = await catalog({ programs: ['claude', 'codex', 'gemini', 'opencode'] })
  expect(found.profiles.map(({ profile }) => profile.name)).toEqual(['shell', 'simulated', 'claude', 'codex', 'gemini', 'opencode'])
})

test("the project's profile of a name counts before the person's, and that before the built-in one", async () => {
  const own = (model: string) => ({ name: 'claude', backend: 'claude', model })
  const both = await catalog({ programs: ['claude'], user: [own('claude-a')], project: [own('claude-b')] })
  expect(both.choose({ agentType: 'claude' }, null)).toMatchObject({ model: 'claude-b', source: 'project' })
  expect((await catalog({ programs: ['claude'], user: [own('claude-a')] })).choose({}, 'claude')).toMatchObject({ model: 'claude-a' })
})

test('roles and definitions are played by the default agent; Explore and Plan change nothing', async () => {
  const agents = await catalog({
    programs: ['claude'],
    definitions: { 'r.md': '---\nname: reviewer\ntools: Read, Grep\nmodel: opus\n---\nYou review.' },
  })
  expect(agents.choose({ agentType: 'general-purpose' }, 'claude')).toMatchObject({
    readOnly: false,
    instructions: null,
    tools: null,
    model: null,
  })
  for (const agentType of ['Explore', 'Plan'])
    expect(agents.choose({ agentType }, 'claude')).toMatchObject({
      readOnly: true,
      instructions: expect.stringContaining('Change no files'),
    })
  expect(agents.choose({ agentType: 'reviewer' }, 'claude')).toMatchObject({
    profile: { name: 'claude' },
    instructions: 'You review.',
    tools: ['Read', 'Grep'],
    model: 'opus',
  })
  expect(agents.choose({ agentType: 'reviewer', model: 'haiku', allowedTools: ['Grep', 'Bash'] }, 'claude')).toMatchObject({
    tools: ['Grep'],
    model: 'haiku',
  })
})

test('an unknown agent is refused with the names that are known, a wrong profile with what is wrong in it', async () => {
  const agents = await catalog({ programs: ['claude'], user: [{ name: 'mine', backend: 'command' }] })
  expect(agents.choose({ agentType: 'nobody' }, 'claude')).toEqual({
    refused: 'unknown-agent',
    detail:
      'There is no agent "nobody" here. Use one of general-purpose, Explore, Plan, shell, simulated, claude, or define it in .claude/agents/nobody.md',
  })
  expect(agents.choose({ agentType: 'mine' }, 'claude')).toMatchObject({
    detail: expect.stringMatching(/"mine" can't be used\. .*settings\.json:1: profile “mine”, command/),
  })
  expect(agents.choose({}, null)).toMatchObject({ detail: 'No default agent is chosen. Choose one of shell, simulated, claude' })
  expect(agents.choose({ agentType: 'Explore' }, 'gone')).toMatchObject({ detail: expect.stringContaining('"gone" is not known') })
})

test('a model is one that is known everywhere, or one that the profile lists', async () => {
  const agents = await catalog({
    programs: ['claude'],
    user: [
      { name: 'local', backend: 'api', model: 'llama3', models: ['qwen-*', 'haiku=phi4'], options: { provider: 'openai-compatible' } },
      { name: 'bare', backend: 'codex' },
    ],
  })
  const model = (agentType: string, name?: string) => {
    const choice = agents.choose({ agentType, ...(name !== undefined && { model: name }) }, null)
    return 'refused' in choice ? choice.refused : choice.model
  }
  expect([model('local'), model('local', 'inherit'), model('local', 'opus'), model('local', 'haiku')]).toEqual([
    'llama3',
    'llama3',
    'llama3',
    'phi4',
  ])
  expect([model('local', 'qwen-7b'), model('local', 'llama3'), model('local', 'qwen')]).toEqual(['qwen-7b', 'llama3', 'unknown-model'])
  expect([model('claude'), model('claude', 'opus'), model('claude', 'claude-x-1'), model('claude', 'nope')]).toEqual([
    null,
    'opus',
    'claude-x-1',
    'unknown-model',
  ])
  expect([model('bare', 'sonnet'), model('bare', 'nope'), model('simulated', 'nope')]).toEqual([null, 'unknown-model', 'nope'])
  expect(agents.choose({ agentType: 'local', model: 'nope' }, null)).toMatchObject({
    detail:
      'There is no model "nope" for the agent "local". Use one of sonnet, opus, haiku, fable, inherit, llama3, qwen-*, or add it to the profile\'s "models"',
  })
  expect([agents.knowsModel('qwen-1'), agents.knowsModel('nope')]).toEqual([true, false])
})

test('an allow-listed profile has no other tools than those it lists', async () => {
  const agents = await catalog({
    user: [
      { name: 'a', backend: 'claude', permissions: 'allow-listed', allowedTools: ['Read', 'Edit'] },
      { name: 'b', backend: 'claude', permissions: 'allow-listed' },
    ],
  })
  expect(agents.choose({ agentType: 'a' }, null)).toMatchObject({ tools: ['Read', 'Edit'], permissions: 'allow-listed' })
  expect(agents.choose({ agentType: 'a', allowedTools: ['Edit', 'Bash'] }, null)).toMatchObject({ tools: ['Edit'] })
  expect(agents.choose({ agentType: 'b' }, null)).toMatchObject({ tools: [] })
})

test('heavy agents run on each core at once, at least two, the others sixteen, unless the profile says', () => {
  const at = (more: object, cores: number) => defaultConcurrency(Profile.parse({ name: 'p', ...more }), cores)
  expect([1, 2, 8].map((cores) => at({ backend: 'claude' }, cores))).toEqual([2, 2, 8])
  expect(at({ backend: 'acp', command: '/opt/bin/opencode' }, 4)).toBe(4)
  expect([at({ backend: 'acp', command: 'gemini' }, 4), at({ backend: 'codex' }, 4), at({ backend: 'claude', concurrency: 1 }, 4)]).toEqual(
    [16, 16, 1],
  )
})

test("what a person chose for the run is for calls that name no model, and stands above a profile's own rules", async () => {
  const definitions = { 'reviewer.md': '---\nname: reviewer\ndescription: reviews\nmodel: haiku\n---\nReview.' }
  const agents = await catalog({ programs: ['claude'], user: [{ name: 'mine', backend: 'claude', allowedTools: ['Read'] }], definitions })
  const choices = { model: 'opus', permissions: 'allow-listed' } as const
  expect(agents.choose({}, 'mine', choices)).toMatchObject({ model: 'opus', permissions: 'allow-listed', tools: ['Read'] })
  expect(agents.choose({ model: 'sonnet' }, 'mine', choices)).toMatchObject({ model: 'sonnet' })
  expect(agents.choose({ agentType: 'reviewer' }, 'mine', choices)).toMatchObject({ model: 'haiku' })
  expect(agents.choose({}, 'mine')).toMatchObject({ model: null, permissions: 'ask', tools: null })
})
