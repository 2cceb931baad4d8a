import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentUnknown, knownAgentTypes } from '../../main/agents/agent-names.ts'
import { temporaryFolder } from './process-fixture.ts'

function project(files: { [name: string]: string | null }): string {
  const folder = temporaryFolder()
  const agents = join(folder, '.claude', 'agents')
  mkdirSync(agents, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    if (text === null) mkdirSync(join(agents, name))
    else writeFileSync(join(agents, name), text)
  }
  return folder
}

const builtIn = ['general-purpose', 'Explore', 'Plan', 'shell', 'simulated']

test('a project without agents of its own knows the built-in ones', async () => {
  expect(await knownAgentTypes(temporaryFolder())).toEqual(builtIn)
})

test("a project's agents are called as their front matter says, or like their file", async () => {
  const folder = project({
    'b.md': '---\nname: reviewer\ndescription: x\n---\nBody\nname: not-this',
    'a.md': '---\r\ndescription: x\r\nname: "Data Expert"\r\n---\r\n',
    'plain.md': 'name: not-front-matter',
    'empty.md': '---\nname:\n---\n',
    'comment.md': '---\nname: tester # runs tests\n---',
    'notes.txt': '---\nname: no\n---',
    'folder.md': null,
  })
  expect(await knownAgentTypes(folder)).toEqual([...builtIn, 'Data Expert', 'empty', 'plain', 'reviewer', 'tester'])
})

test('a name that is built in already is named once', async () => {
  expect(await knownAgentTypes(project({ 'x.md': '---\nname: Explore\n---' }))).toEqual(builtIn)
})

test('an unknown name is refused with its place and every name that is known', () => {
  const error = agentUnknown('revewer', ['shell', 'reviewer'], { line: 3, column: 9 })
  expect(error).toMatchObject({ code: 'agent-unknown', line: 3, column: 9 })
  expect(error.message).toBe('There is no agent "revewer" here. Use one of shell, reviewer, or define it in .claude/agents/revewer.md')
})
