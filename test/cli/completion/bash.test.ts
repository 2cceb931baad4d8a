/** Completion as bash does it: a real bash loads the script and is asked what fits. */
import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLI, TestProject } from '../../support/reprise.ts'

let project: TestProject
let script: string

beforeAll(async () => {
  project = new TestProject()
  project.write('.claude/workflows/triage.js', `return agent('look', { label: 'look' })`)
  project.write('notes.txt', '')
  await project.run(['run', 'triage', '--agent', 'simulated'])
  await project.run(['run', 'triage', '--agent', 'simulated', '--title', 'second'])
  const bin = join(project.outside, 'reprise')
  writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`)
  chmodSync(bin, 0o755)
  script = (await project.run(['completion', 'bash'])).stdout
}, 60_000)
afterAll(() => project.remove())

/** The words that bash offers where the last of these is being typed. */
function offered(...words: string[]): string[] {
  const quoted = ['reprise', ...words].map((word) => `'${word}'`).join(' ')
  const ask = `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _reprise; printf '%s\\n' "\${COMPREPLY[@]}"`
  const env = {
    PATH: `${project.outside}:${process.env['PATH'] ?? ''}`,
    HOME: project.outside,
    REPRISE_HOME: join(project.outside, 'data'),
  }
  return execFileSync('bash', ['--norc', '-c', ask], { cwd: project.folder, env, encoding: 'utf8' }).split('\n').filter(Boolean)
}

test('commands, and options of a command, that begin as typed', () => {
  expect(offered('re')).toEqual(['resume', 'retry'])
  expect(offered('resume', 'last', '--po')).toEqual(['--policy'])
  expect(offered('resume', 'last', '--policy', 'x', '--po')).toEqual([])
})

test('the values of an option, also behind an equals sign as bash cuts it', () => {
  expect(offered('resume', 'last', '--policy', '')).toEqual(['content', 'prefix', 'none'])
  expect(offered('resume', 'last', '--policy', '=')).toEqual(['content', 'prefix', 'none'])
  expect(offered('resume', 'last', '--policy', '=', 'pre')).toEqual(['prefix'])
})

test('workflows by name, with the files of the folder', () => {
  expect(offered('run', 't')).toEqual(['triage'])
  expect(offered('run', 'no')).toEqual(['notes.txt'])
})

test('runs of the project, also of another one, and the calls of a run', () => {
  expect(offered('show', '').sort()).toEqual(['1', '2', 'last'])
  expect(offered('--project', project.outside, 'show', '')).toEqual([])
  expect(offered('skip', 'last', '')).toEqual(['look'])
})

test('nothing, and no word on the screen, where nothing can be known', () => {
  expect(offered('skip', '99', '')).toEqual([])
  expect(offered('nonsense', '')).toContain('run')
})
