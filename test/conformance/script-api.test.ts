/** The script API as workflow authors know it, rule by rule. A row that has to change is a break of scripts that exist. */
import { afterAll, describe, expect, test } from 'vitest'
import { checkScript } from '../../main/engine/source/check-script.ts'
import { runScript } from '../engine/support/run-script.ts'
import { type RunDocument, TestProject } from '../support/reprise.ts'
import { agentRules } from './rules/agents.ts'
import { fanOutRules } from './rules/fan-out.ts'
import { inputRules, resultRules } from './rules/input-and-result.ts'
import { budgetRules, chanceRules, progressRules } from './rules/progress-and-chance.ts'
import { refusals } from './rules/refusals.ts'
import { resumeRules } from './rules/resume.ts'
import type { Rule } from './rules/rule.ts'
import { runRules, waitingRules } from './rules/whole-runs.ts'

describe.each([
  ['agent()', agentRules],
  ['parallel() and pipeline()', fanOutRules],
  ['args', inputRules],
  ['the result', resultRules],
  ['phase() and log()', progressRules],
  ['budget', budgetRules],
  ['time and chance', chanceRules],
  ['resume', resumeRules],
])('%s', (_, rules) => {
  test.each(rules)('$rule', keeps)
})

async function keeps(rule: Rule): Promise<void> {
  const answers = new Map(Object.entries(rule.answers ?? {}))
  const { messages, value, error, prompts, logs } = await runScript(rule.script, {
    ...rule.given,
    answer: (prompt) => answers.get(prompt) ?? (answers.has(prompt) ? null : prompt),
  })
  const calls = messages.flatMap((message) => (message.t === 'call' ? [message] : []))
  if (rule.error === undefined) expect(error).toBeUndefined()
  else {
    const { says = '', ...place } = rule.error
    expect(error).toMatchObject(place)
    expect(error?.message).toContain(says)
  }
  if (rule.value !== undefined) expect(value).toEqual(rule.value)
  if (rule.logs !== undefined) expect(logs).toEqual(rule.logs.map((part) => expect.stringContaining(part)))
  if (rule.calls !== undefined) expect(prompts).toEqual(rule.calls)
  if (rule.requests !== undefined) expect(calls.map(({ request }) => request)).toEqual(rule.requests)
  if (rule.labels !== undefined) expect(calls.map(({ label }) => label)).toEqual(rule.labels)
  if (rule.phases !== undefined) expect(calls.map(({ phase }) => phase)).toEqual(rule.phases)
}

describe('refused before anything runs', () => {
  test.each(refusals)('$rule', async ({ script, file = 'script.js', code, line, says = '' }) => {
    const { diagnostics, prepared } = await checkScript(script, file)
    expect(prepared).toBeNull()
    expect(diagnostics).toContainEqual(expect.objectContaining({ severity: 'error', code, line, message: expect.stringContaining(says) }))
  })
})

describe('whole runs', () => {
  const project = new TestProject()
  afterAll(() => project.remove())

  test.each([...runRules, ...waitingRules])('$rule', async ({ script, options = [], document, exit, started }) => {
    const before = project.started.length
    const file = project.write('rule.js', script)
    const { code, stdout, stderr } = await project.run(['run', file, '--agent', 'simulated', '--json', ...options])
    expect(stderr + stdout).toContain('"runId"')
    expect(JSON.parse(stdout) as RunDocument).toMatchObject(document)
    expect(code).toBe(exit)
    if (started !== undefined) expect(project.started.length - before).toBe(started)
  })
})
