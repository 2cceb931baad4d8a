import { expect, test } from 'vitest'
import { schemaCheck } from '../../main/engine/schema.ts'

test('the failing path and what is wrong are told', () => {
  const check = schemaCheck({ type: 'object', properties: { list: { type: 'array', items: { type: 'number' } } }, required: ['list'] })
  expect(check({ list: [1] })).toEqual({ ok: true })
  expect(check({ list: [1, 'x'] })).toEqual({ ok: false, problem: '/list/1 must be number' })
  expect(check({})).toEqual({ ok: false, problem: "the value must have required property 'list'" })
})

test('formats are checked, in 2020-12 and in draft-07', () => {
  expect(schemaCheck({ type: 'string', format: 'email' })('nope').ok).toBe(false)
  const draft7 = schemaCheck({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'array',
    items: [{ type: 'number' }],
    additionalItems: false,
  })
  expect([draft7([1]).ok, draft7([1, 2]).ok]).toEqual([true, false])
  const draft2020 = schemaCheck({ type: 'array', prefixItems: [{ type: 'number' }], items: false })
  expect([draft2020([1]).ok, draft2020([1, 2]).ok]).toEqual([true, false])
})

test('two schemas with the same $id do not meet, and unknown keywords are ignored', () => {
  expect(schemaCheck({ $id: 'same', type: 'number' })(1).ok).toBe(true)
  expect(schemaCheck({ $id: 'same', type: 'string', example: 'x' })('1').ok).toBe(true)
})

test.each([[{ type: 'nonsense' }], ['text'], [[]], [null], [{ $ref: '#/nowhere' }]])('%j is no schema', (schema) => {
  expect(() => schemaCheck(schema)).toThrow()
})
