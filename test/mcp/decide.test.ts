import { expect, test } from 'vitest'
import type { RunReport } from '../../main/mcp/run-report.ts'
import { until } from '../support/reprise.ts'
import { Host } from './host.ts'

const GATED = `const plan = await agent('[[text:step one]] plan')
const decided = await gate('Ship it?', { options: ['ship', 'hold'], show: plan, label: 'ship' })
return decided.choice + ' ' + (decided.note ?? '')\n`
const ASKS = "return agent('[[ask:Write]] edit', { label: 'edit' })\n"

test('who waits for a run is told at once that a person has to decide, and with which tool', async () => {
  const host = await Host.start()
  const run = await host.run(GATED)
  const waited = await host.call('workflow_wait', { run, timeout_seconds: 3600 })
  expect(waited.text).toMatch(/Gate 2 “ship” is open: decide with workflow_decide, choice “ship” or “hold”/)
  expect(waited.data).toMatchObject({
    status: 'waiting',
    ended: false,
    waitsForYou: {
      gates: [{ tool: 'workflow_decide', gate: 2, question: 'Ship it?', options: ['ship', 'hold'], shown: 'step one' }],
      questions: [],
    },
  })
  const wrong = await host.call('workflow_decide', { run, choice: 'perhaps' })
  expect(wrong).toMatchObject({ isError: true, code: 'choice-unknown', text: expect.stringContaining('“ship”, “hold”') })
  const decided = await host.call('workflow_decide', { run, gate: 'ship', choice: 'ship', note: 'go' })
  expect([decided.isError, decided.text]).toEqual([false, expect.stringContaining('The run goes on')])
  expect(await host.ended(run)).toMatchObject({ status: 'completed', returnValue: 'ship go' })
  expect(await host.call('workflow_decide', { run, choice: 'ship' })).toMatchObject({ isError: true, code: 'call-unknown' })
})

test('who wants to wait for the end all the same can', async () => {
  const host = await Host.start()
  const run = await host.run(GATED)
  await host.call('workflow_wait', { run })
  const end = host.call('workflow_wait', { run, to_the_end: true })
  await host.call('workflow_decide', { run, choice: 'hold' })
  expect((await end).data).toMatchObject({ status: 'completed', returnValue: 'hold ' })
})

test('a gate that another process left open is decided, and the run goes on when that is wanted', async () => {
  const host = await Host.start()
  const left = await host.project.run(['run', host.project.write('gated.js', GATED), '--agent', 'simulated'])
  expect(left.code).toBe(4)
  const waited = await host.call('workflow_wait', { run: 'last' })
  expect(waited.text).toContain('workflow_decide')
  expect(waited.text).not.toContain('workflow_resume')
  const decided = await host.call('workflow_decide', { run: 'last', choice: 'ship', resume: true })
  expect(decided.isError).toBe(false)
  expect(await host.ended('last')).toMatchObject({ status: 'completed', attempt: 3, returnValue: 'ship ' })
})

test('what an agent asks for is allowed or denied, also in a run of another process', async () => {
  const host = await Host.start()
  const run = await host.run(ASKS)
  const waited = await host.call('workflow_wait', { run, timeout_seconds: 3600 })
  const [question] = (waited.data as RunReport).waitsForYou?.questions ?? []
  expect(question).toMatchObject({ tool: 'workflow_answer', call: 1, uses: 'Write' })
  const denied = await host.call('workflow_answer', { run, question: question?.question, answer: 'deny' })
  expect([denied.isError, denied.text]).toEqual([false, expect.stringContaining('Denied')])
  expect(await host.ended(run)).toMatchObject({ status: 'completed' })
  expect(await host.call('workflow_answer', { run, answer: 'allow' })).toMatchObject({ isError: true, code: 'question-closed' })

  const going = host.project.start(['run', host.project.write('asks.js', ASKS), '--agent', 'simulated'])
  await until(() => host.project.runIds.length === 2)
  await host.call('workflow_wait', { run: 'last', timeout_seconds: 3600 })
  expect((await host.call('workflow_answer', { run: 'last', answer: 'allow' })).text).toContain('Allowed')
  expect((await going.ended).code).toBe(0)
})

test('a server that only looks tells what is open and settles nothing', async () => {
  const host = await Host.start(['--read-only'])
  await host.project.run(['run', host.project.write('gated.js', GATED), '--agent', 'simulated'])
  expect((await host.call('workflow_status')).data).toMatchObject({ waitsForYou: { gates: [{ gate: 2 }] } })
  expect((await host.client.listTools()).tools.map(({ name }) => name)).not.toContain('workflow_decide')
})
