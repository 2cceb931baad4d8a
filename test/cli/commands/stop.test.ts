import { expect, test } from 'vitest'
import { main } from '../../../main/cli/main.ts'
import type { StopOutcome } from '../../../main/service/service.ts'
import { fakeIo } from '../fake-io.ts'
import { fakeService, RUN_ID } from '../fake-service.ts'

async function stop(outcome: StopOutcome, argv: string[] = []) {
  const screen = fakeIo()
  const code = await main(['stop', '47', ...argv], screen.io, fakeService({ stop: async () => outcome }).open)
  return { code, stdout: screen.stdout(), stderr: screen.stderr() }
}

test('a run is stopped, and the way back is named', async () => {
  expect(await stop('accepted')).toEqual({
    code: 0,
    stdout: '',
    stderr: `Stopping. Finished results are kept. Resume: reprise resume ${RUN_ID}\n`,
  })
})

test('a run that has ended needs no stop, and that is no error', async () => {
  expect(await stop('ended')).toMatchObject({ code: 0, stderr: expect.stringContaining('already ended') })
})

test('an owner that does not answer is an error', async () => {
  expect(await stop('no-answer')).toMatchObject({ code: 1, stderr: expect.stringContaining('does not answer') })
})

test('--json names the outcome', async () => {
  expect(JSON.parse((await stop('accepted', ['--json'])).stdout)).toEqual({ runId: RUN_ID, outcome: 'accepted' })
})
