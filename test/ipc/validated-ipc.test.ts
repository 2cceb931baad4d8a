import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { type Asker, isOurPage, validated } from '../../main/ipc/validated-ipc.ts'
import { methods } from '../../shared/contract/index.ts'
import { type Method, method } from '../../shared/contract/method.ts'
import { AppError, ERRORS } from '../../shared/errors.ts'

const PAGE = 'app://reprise/'
const ours: Asker = { senderFrame: { url: 'app://reprise/index.html', parent: null } }
const trusts = (asker: Asker) => isOurPage(asker, PAGE)
const double = method('test.double', { input: z.object({ n: z.number() }), output: z.object({ n: z.number() }) })

test('a good question gets its answer', async () => {
  const ask = validated(double, ({ n }) => ({ n: n * 2 }), trusts)
  expect(await ask(ours, { n: 4 })).toEqual({ ok: true, value: { n: 8 } })
})

test.each<[string, Asker]>([
  ['another page', { senderFrame: { url: 'https://example.invalid/app://reprise/', parent: null } }],
  ['a page whose address only begins alike', { senderFrame: { url: 'app://reprise.example.invalid/', parent: null } }],
  ['a frame inside our page', { senderFrame: { url: 'app://reprise/index.html', parent: {} } }],
  ['a frame that is gone', { senderFrame: null }],
])('%s is not answered, and its message is not looked at', async (_who, asker) => {
  const handler = vi.fn(() => ({ n: 1 }))
  const unread = Object.defineProperty({}, 'n', {
    get: () => {
      throw new Error('looked at')
    },
  })
  const answer = await validated(double, handler, trusts)(asker, unread)
  expect(answer).toMatchObject({ ok: false, error: { code: 'internal', message: expect.stringContaining("not the app's page") } })
  expect(handler).not.toHaveBeenCalled()
})

test('a question of the wrong shape says where, and the handler never sees it', async () => {
  const handler = vi.fn(() => ({ n: 1 }))
  const answer = await validated(double, handler, trusts)(ours, { n: 'four' })
  expect(answer).toMatchObject({ ok: false, error: { code: 'internal', message: expect.stringMatching(/test\.double.* at n: /) } })
  expect(handler).not.toHaveBeenCalled()
})

test('an answer of the wrong shape does not leave', async () => {
  const answer = await validated(double, () => ({ n: 'eight' }) as never, trusts)(ours, { n: 4 })
  expect(answer).toMatchObject({ ok: false, error: { code: 'internal', message: expect.stringContaining('no valid answer at n') } })
})

test('an answer carries only what the contract names', async () => {
  const answer = await validated(double, () => ({ n: 8, secret: 'x' }), trusts)(ours, { n: 4 })
  expect(answer).toEqual({ ok: true, value: { n: 8 } })
})

test.each([
  [
    'an error for people keeps its code, words and place',
    new AppError('script-syntax', 'Line 3.', { line: 3, column: 7 }),
    { code: 'script-syntax', message: 'Line 3.', line: 3, column: 7 },
  ],
  [
    'any other error becomes a fault with its details',
    new Error('boom'),
    { code: 'internal', message: 'boom', stack: expect.stringContaining('boom') },
  ],
  ['something thrown that is no error does too', 'boom', { code: 'internal', message: 'boom' }],
])('%s', async (_title, thrown, error) => {
  const ask = validated(double, () => Promise.reject(thrown), trusts)
  expect(await ask(ours, { n: 4 })).toEqual({ ok: false, error: expect.objectContaining(error) })
})

test('whatever the page sends to any method, the answer is a Result', async () => {
  const all: Method[] = Object.values(methods)
  const handler = () => {
    throw new AppError('usage', 'reached')
  }
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...all), fc.anything({ withBigInt: true, withMap: true, withDate: true }), async (one, input) => {
      const answer = await validated(one, handler, trusts)(ours, input)
      expect(answer.ok).toBe(false)
      if (!answer.ok) expect(Object.keys(ERRORS)).toContain(answer.error.code)
    }),
    { numRuns: 500 },
  )
})
