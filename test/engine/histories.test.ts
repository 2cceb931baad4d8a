/** Runs that released versions recorded are replayed whole by this one. Read test/histories/README.md before changing anything. */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ResumePlan } from '../../shared/run/plan.ts'
import { TestProject } from '../support/reprise.ts'

const HISTORIES = resolve('test/histories')
const folders = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

describe.each(folders(HISTORIES))('what version %s recorded', (version) => {
  test.each(folders(join(HISTORIES, version)))('%s is replayed without starting anything and returns the same', async (name) => {
    const history = join(HISTORIES, version, name)
    const { runId } = JSON.parse(readFileSync(join(history, 'run.json'), 'utf8')) as { runId: string }
    const { value } = JSON.parse(readFileSync(join(history, 'expected.json'), 'utf8')) as { value: unknown }
    cpSync(history, join(project.runsFolder, runId), { recursive: true })
    const recorded = readFileSync(project.journal(runId), 'utf8')

    const plan = await project.json<ResumePlan>('plan', runId)
    expect([plan.certainLive, plan.notReached, plan.complete, plan.scriptChanged]).toEqual([[], [], true, false])

    // Sleeps, gates and openings are replayed too, and counted by nobody.
    const counted = plan.replayed.filter(({ kind }) => kind === 'agent' || kind === 'check')
    const document = await project.json('resume', runId)
    expect(document).toMatchObject({ status: 'completed', counts: { dead: 0, replayed: counted.length } })
    expect(document.returnValue).toEqual(value)
    const journal = readFileSync(project.journal(runId), 'utf8')
    expect(journal.startsWith(recorded)).toBe(true)
    expect(journal.slice(recorded.length)).not.toMatch(/"t":"(?:call|started)"/)
  })
})
