/** The guide for authors says what is so: its examples work, its tables name what there is. */
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { checkScript } from '../../main/engine/source/check-script.ts'
import { AGENT_OPTIONS, HOOK_OPTIONS, HOOKS } from '../../main/engine/source/globals.ts'
import { ERRORS } from '../../shared/errors.ts'
import { TestProject } from '../support/reprise.ts'

const GUIDE = readFileSync('docs/writing-workflows.md', 'utf8')

interface Example {
  title: string
  file: string
  text: string
  mark: string
}

/** Fenced scripts with the heading above them; the words after the language say what is done with one. */
const EXAMPLES = [...GUIDE.matchAll(/^```(js|ts)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
  ({ 1: ext, 2: mark = '', 3: text = '', index }): Example => {
    const title =
      GUIDE.slice(0, index)
        .match(/^#+ .+$/gm)
        ?.at(-1) ?? ''
    return { title: `${title} (${text.split('\n', 1)[0]})`, file: `example.${ext}`, text, mark }
  },
)

/** The rows of the table under a heading, as lists of the words in backticks in their first cell. */
function named(heading: string): string[] {
  const section = GUIDE.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  return [...section.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word))
}

const project = new TestProject()
afterAll(() => project.remove())

describe('examples', () => {
  test('are found', () => {
    expect(EXAMPLES.length).toBeGreaterThan(8)
    expect(EXAMPLES.filter(({ mark }) => !/^(?:run(?:=[a-z]+)?|refused=[a-z-]+|file=[a-z/]+\.js)$/.test(mark))).toEqual([])
  })

  test('show every hook in one that runs', () => {
    const texts = EXAMPLES.filter(({ mark }) => mark.startsWith('run')).map(({ text }) => text)
    const mention = (hook: string) => new RegExp(`\\b${hook}\\b`)
    expect(HOOKS.filter((hook) => !texts.some((text) => mention(hook).test(text)))).toEqual([])
  })

  test.each(EXAMPLES)('$title', async ({ text, file, mark }) => {
    const { diagnostics, prepared } = await checkScript(text, file)
    const refused = mark.startsWith('refused=') ? mark.slice('refused='.length) : null
    // What is refused may be warned about besides; what runs is without a warning.
    if (refused === null) expect(diagnostics).toEqual([])
    else expect(diagnostics).toContainEqual(expect.objectContaining({ severity: 'error', code: refused }))
    expect(prepared === null).toBe(refused !== null)
    if (refused !== null) return
    // A workflow that another example calls.
    if (mark.startsWith('file=')) return void project.write(mark.slice('file='.length), text)
    const status = mark.split('=')[1] ?? 'completed'
    const path = project.write(file, text)
    expect(await project.json('run', path, '--agent', 'simulated')).toMatchObject({ status, counts: { dead: 0 } })
  })
})

test('every option of agent() is in its table, and no other', () => {
  expect(
    named('agent(')
      .toSorted()
      .filter((word) => !/^'/.test(word)),
  ).toEqual([...AGENT_OPTIONS].toSorted())
})

test.each(['check', 'wait', 'gate'] as const)('every option of %s() is named in its part', (hook) => {
  const part = GUIDE.split(/^## /m).find((text) => text.split('\n', 1)[0]?.includes(`${hook}(`)) ?? ''
  expect(HOOK_OPTIONS[hook].filter((option) => !part.includes(`\`${option}`))).toEqual([])
})

test('every hook that has a heading is there', () => {
  const headings = [...GUIDE.matchAll(/^## ([a-z].*)$/gm)].flatMap(([, heading = '']) => heading.match(/[a-z]+(?=\()|^[a-z]+$/g) ?? [])
  expect(headings.length).toBeGreaterThan(8)
  expect(headings.filter((name) => !(HOOKS as readonly string[]).includes(name))).toEqual([])
})

test('every error code of the guide exists', () => {
  const codes = named('Errors')
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter((code) => !(code in ERRORS))).toEqual([])
})
