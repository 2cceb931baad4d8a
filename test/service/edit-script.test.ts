import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sha256 } from '../../main/engine/fingerprint.ts'
import { saveText } from '../../main/service/edit-script.ts'

let top = ''
let project = ''
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'reprise-edit-'))
  project = join(top, 'project')
  mkdirSync(project)
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

function script(path: string, text = 'return 1\n'): string {
  writeFileSync(path, text)
  return path
}

test('a save writes the text over the one that was seen, and nothing else in the folder', async () => {
  const path = script(join(project, 'a.ts'))
  chmodSync(path, 0o750)
  expect(await saveText(project, path, 'return 2\n', sha256('return 1\n'))).toEqual({ sha256: sha256('return 2\n') })
  expect(readFileSync(path, 'utf8')).toBe('return 2\n')
  expect(statSync(path).mode & 0o777).toBe(0o750)
  expect(readdirSync(project)).toEqual(['a.ts'])
})

test('a file that somebody changed meanwhile is not written', async () => {
  const path = script(join(project, 'a.ts'), 'return "theirs"\n')
  await expect(saveText(project, path, 'return 2\n', sha256('return 1\n'))).rejects.toMatchObject({ code: 'changed-since-you-looked' })
  expect(readFileSync(path, 'utf8')).toBe('return "theirs"\n')
})

test('files outside of the project are not written, nor through a link in it', async () => {
  const outside = script(join(top, 'b.ts'))
  const link = join(project, 'link.ts')
  symlinkSync(outside, link)
  for (const path of [outside, link, join(project, '..', 'b.ts')])
    await expect(saveText(project, path, 'return 2\n', sha256('return 1\n'))).rejects.toMatchObject({ code: 'outside-project' })
  expect(readFileSync(outside, 'utf8')).toBe('return 1\n')
})

test('what is no script is not written', async () => {
  const path = script(join(project, 'notes.md'))
  await expect(saveText(project, path, 'x', sha256('return 1\n'))).rejects.toMatchObject({ code: 'not-a-script' })
})
