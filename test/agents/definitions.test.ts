import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { definitionOf, readDefinitions } from '../../main/agents/definitions.ts'
import { temporaryFolder } from './process-fixture.ts'

test("a project's agents are called as their front matter says, or like their file", async () => {
  const folder = temporaryFolder()
  const agents = join(folder, '.claude', 'agents')
  mkdirSync(join(agents, 'folder.md'), { recursive: true })
  const files = {
    'b.md': '---\nname: reviewer\ndescription: x\n---\nBody\nname: not-this',
    'a.md': '---\r\ndescription: x\r\nname: "Data Expert"\r\n---\r\n',
    'plain.md': 'name: not-front-matter',
    'empty.md': '---\nname:\n---\n',
    'comment.md': '---\nname: tester # runs tests\n---',
    'again.md': '---\nname: reviewer\n---\nAnother',
    'notes.txt': '---\nname: no\n---',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(agents, name), text)
  const found = await readDefinitions(folder, temporaryFolder())
  expect([...found.keys()]).toEqual(['Data Expert', 'empty', 'plain', 'reviewer', 'tester'])
  expect(found.get('reviewer')?.instructions).toBe('Another')
})

test('those of the person are there in every project, and the project has the last word', async () => {
  const [project, home] = [temporaryFolder(), temporaryFolder()]
  for (const [folder, name] of [
    [project, 'reviewer'],
    [home, 'reviewer'],
    [home, 'writer'],
  ] as const) {
    mkdirSync(join(folder, '.claude', 'agents'), { recursive: true })
    writeFileSync(join(folder, '.claude', 'agents', `${name}.md`), `Of ${folder}`)
  }
  const found = await readDefinitions(project, home)
  expect([...found].map(([name, { instructions }]) => [name, instructions])).toEqual([
    ['reviewer', `Of ${project}`],
    ['writer', `Of ${home}`],
  ])
})

test('a project without definitions has none', async () => {
  expect(await readDefinitions(temporaryFolder(), temporaryFolder())).toEqual(new Map())
})

test('a description with colons and quotes is taken as it is, and tools come as a line or a list', () => {
  const head = 'name: r\ndescription: Use when: the user says "go"; Examples: <a>b: c</a>\nmodel: opus'
  const text = `---\n${head}\ntools: Read, Bash(git log:*, git show), Grep\n---\n\nYou review.\n\n--- not front matter\n`
  expect(definitionOf(text, '/p/r.md')).toEqual({
    name: 'r',
    description: 'Use when: the user says "go"; Examples: <a>b: c</a>',
    tools: ['Read', 'Bash(git log:*, git show)', 'Grep'],
    model: 'opus',
    instructions: 'You review.\n\n--- not front matter',
    file: '/p/r.md',
  })
  expect(definitionOf('---\ntools:\n  - Read\n  - "Write"\nmodel: inherit\n---\n', '/p/x.md')).toMatchObject({
    tools: ['Read', 'Write'],
    model: null,
  })
  expect(definitionOf('---\ndescription: >\n  two\n  lines\ntools: "*"\n---\n', '/p/x.md')).toMatchObject({
    description: 'two lines',
    tools: null,
  })
})
