import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '../../main/cli/project-folder.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Makes folders below a fresh one. */
function tree(...paths: string[]): string {
  const root = temporaryFolder()
  for (const path of paths) mkdirSync(join(root, path), { recursive: true })
  return root
}

const find = (root: string, cwd: string, home = 'home', given?: string) =>
  projectFolder({ cwd: join(root, cwd), env: { HOME: join(root, home) } }, given)

test('the nearest folder above with .claude or .git is the project', async () => {
  const root = tree('home/code/app/.git', 'home/code/app/src/deep', 'home/code/app/web/.claude', 'home/code/app/web/src')
  expect(await find(root, 'home/code/app/src/deep')).toBe(join(root, 'home/code/app'))
  expect(await find(root, 'home/code/app/web/src')).toBe(join(root, 'home/code/app/web'))
  expect(await find(root, 'home/code/app')).toBe(join(root, 'home/code/app'))
})

test('.git may be a file, as in a worktree', async () => {
  const root = tree('home/wt/src')
  writeFileSync(join(root, 'home/wt/.git'), 'gitdir: elsewhere')
  expect(await find(root, 'home/wt/src')).toBe(join(root, 'home/wt'))
})

test('the home folder is no project of what lies in it', async () => {
  const root = tree('home/.claude', 'home/notes')
  expect(await find(root, 'home/notes')).toBe(join(root, 'home/notes'))
  expect(await find(root, 'home')).toBe(join(root, 'home'))
})

test('a folder above the home folder is not looked at', async () => {
  const root = tree('.git', 'home/notes')
  expect(await find(root, 'home/notes')).toBe(join(root, 'home/notes'))
})

test('--project goes before everything, from the current folder', async () => {
  const root = tree('home/a/.git', 'home/b')
  expect(await find(root, 'home/a', 'home', '../b')).toBe(join(root, 'home/b'))
  await expect(find(root, 'home/a', 'home', 'nope')).rejects.toMatchObject({
    code: 'project-missing',
    message: expect.stringContaining(join(root, 'home/a/nope')),
  })
})
