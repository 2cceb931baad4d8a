import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultTitle, isWorkflowName, nameOfFile, workflowFiles } from '../../../main/engine/source/workflow-name.ts'

test.each(['', '.', '..', '../x', 'a/b', '/etc/passwd', 'a\\b', '..\\x', 'a\0', 'a'.repeat(201)])(
  '%j is no name and finds no file',
  (name) => {
    expect(isWorkflowName(name)).toBe(false)
    expect(workflowFiles(name)).toEqual([])
  },
)

test.each(['triage', 'my flow', 'ünï', 'a#b%20', '...', '.hidden', 'a.b'])('%j is a name', (name) => {
  expect(isWorkflowName(name)).toBe(true)
})

test('a name is looked for as .ts, .js, .mjs, then as .workflow.*', () => {
  expect(workflowFiles('a')).toEqual(['a.ts', 'a.js', 'a.mjs', 'a.workflow.ts', 'a.workflow.js', 'a.workflow.mjs'])
})

test('every file of a name leads back to that name, unless the name has an ending of its own', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 40 }).filter((name) => isWorkflowName(name) && !/\.(workflow|d)$/.test(name)),
      (name) => {
        for (const file of workflowFiles(name)) expect(nameOfFile(file)).toBe(name)
      },
    ),
  )
  for (const file of ['a.txt', 'a.yaml', '.ts', 'types.d.ts', 'a.json']) expect(nameOfFile(file)).toBeNull()
})

test('a run is called by its meta, else by its file, else workflow', () => {
  expect(defaultTitle({ name: ' Triage ', phases: [], more: {} }, '/x/a.ts')).toBe('Triage')
  expect(defaultTitle({ name: ' ', phases: [], more: {} }, '/x/a.ts')).toBe('a')
  expect(defaultTitle(null, '/x/my flow.workflow.ts')).toBe('my flow')
  expect(defaultTitle(null, 'C:\\flows\\a.b.mjs')).toBe('a.b')
  expect(defaultTitle(null, '')).toBe('workflow')
  expect(defaultTitle(null, '/x/.js')).toBe('workflow')
})
