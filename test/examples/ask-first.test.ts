import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sha256 } from '../../main/engine/fingerprint.ts'
import { isOwnExample } from '../../main/service/own-examples.ts'
import { TestProject } from '../support/reprise.ts'

const TEXT = readFileSync('examples/ask-first.workflow.js', 'utf8')

test('shows its plan at a gate, and does what was chosen there', { timeout: 60_000 }, async () => {
  const project = new TestProject()
  const script = project.write('ask-first.js', TEXT)
  expect((await project.run(['run', script, '--agent', 'simulated'])).code).toBe(4)
  const chosen = await project.run(['approve', 'last', '--choice', 'Only the notes', '--resume'])
  expect([chosen.code, chosen.stdout]).toEqual([0, expect.stringContaining('notes done')])
  project.remove()
})

test('is trusted as it comes, and not when it was changed', () => {
  expect([isOwnExample(sha256(TEXT)), isOwnExample(sha256(`${TEXT}\n`))]).toEqual([true, false])
})
