import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Projects } from '../../main/projects.ts'

let top: string
let projects: Projects
const folder = (name: string) => join(top, name)

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-projects-')))
  for (const name of ['a', 'b', 'c']) mkdirSync(folder(name))
  projects = new Projects(folder('data'))
})
afterEach(async () => {
  await projects.flush()
  rmSync(top, { recursive: true, force: true })
})

test('the newest comes first, each folder once', () => {
  for (const name of ['a', 'b', 'c', 'a']) projects.open(folder(name))
  expect(projects.recent.map(({ name }) => name)).toEqual(['a', 'c', 'b'])
  expect(projects.current?.name).toBe('a')
})

test('the open project and the list outlive a restart', async () => {
  projects.open(folder('a'))
  projects.open(folder('b'))
  await projects.flush()
  const next = new Projects(folder('data'))
  expect(next.current?.name).toBe('b')
  expect(next.recent.map(({ name }) => name)).toEqual(['b', 'a'])
})

test('a folder that is gone stays on the list and says so', () => {
  projects.open(folder('a'))
  rmSync(folder('a'), { recursive: true })
  expect(projects.recent).toEqual([expect.objectContaining({ name: 'a', exists: false })])
  expect(() => projects.requireCurrent()).toThrow(expect.objectContaining({ code: 'project-missing' }))
})

test('forgetting the open project closes it and touches nothing in it', () => {
  projects.open(folder('a'))
  const changes: (string | undefined)[] = []
  projects.changed.on((project) => changes.push(project?.name))
  expect(projects.forget(folder('a'))).toEqual([])
  expect(projects.current).toBeNull()
  expect(changes).toEqual([undefined])
  expect(projects.open(folder('a')).exists).toBe(true)
})

test('what is no folder is refused and changes nothing', () => {
  projects.open(folder('a'))
  expect(() => projects.open(folder('nothing'))).toThrow(expect.objectContaining({ code: 'project-missing' }))
  expect(projects.current?.name).toBe('a')
})
