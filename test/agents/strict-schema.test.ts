import { describe, expect, test } from 'vitest'
import { strictSchema } from '../../main/agents/codex/strict-schema.ts'
import type { Json } from '../../shared/json.ts'

const back = (schema: Json, answer: Json) => strictSchema(schema)?.back(answer)

describe('a schema in the strict dialect', () => {
  test('requires every member and lets those be null that need not be there', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] }
    expect(strictSchema(schema)?.schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
      required: ['a', 'b'],
      additionalProperties: false,
    })
    expect(back(schema, { a: 'x', b: null })).toEqual({ a: 'x' })
    expect(back(schema, { a: 'x', b: 1 })).toEqual({ a: 'x', b: 1 })
  })

  test('says in words what it can not enforce', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', description: 'A name', maxLength: 5 } }, required: ['a'] }
    expect(strictSchema(schema)?.schema).toMatchObject({ properties: { a: { type: 'string', description: 'A name (maxLength: 5)' } } })
  })

  test('wraps what is no object, and unwraps the answer', () => {
    const schema = { type: 'array', items: { type: 'object', properties: { n: { type: 'null' }, o: { type: 'string' } }, required: ['n'] } }
    expect(strictSchema(schema)?.schema).toMatchObject({ type: 'object', required: ['value'] })
    expect(back(schema, { value: [{ n: null, o: null }] })).toEqual([{ n: null }])
    expect(back({ enum: ['yes', 'no'] }, { value: 'yes' })).toBe('yes')
  })

  test('follows references and picks the shape that fits', () => {
    const schema = {
      type: 'object',
      properties: { node: { $ref: '#/$defs/node' } },
      required: ['node'],
      $defs: {
        node: { type: 'object', properties: { name: { type: 'string' }, child: { $ref: '#/$defs/node' } }, required: ['name'] },
      },
    }
    expect(back(schema, { node: { name: 'a', child: { name: 'b', child: null } } })).toEqual({ node: { name: 'a', child: { name: 'b' } } })
    const cat = { type: 'object', properties: { kind: { const: 'cat' }, fur: { type: 'string' } }, required: ['kind'] }
    const fish = { type: 'object', properties: { kind: { const: 'fish' }, fur: { type: 'null' } }, required: ['kind', 'fur'] }
    const either = { type: 'object', properties: { pet: { oneOf: [cat, fish] } }, required: ['pet'] }
    expect(back(either, { pet: { kind: 'cat', fur: null } })).toEqual({ pet: { kind: 'cat' } })
    expect(back(either, { pet: { kind: 'fish', fur: null } })).toEqual({ pet: { kind: 'fish', fur: null } })
  })

  test('is not tried for what it can not say at all', () => {
    const open = { type: 'object', additionalProperties: { type: 'number' } }
    for (const schema of [
      true,
      {},
      { type: 'object' },
      open,
      { allOf: [{ type: 'string' }] },
      { type: 'array' },
      { not: { type: 'null' } },
    ])
      expect([schema, strictSchema(schema as Json)]).toEqual([schema, null])
  })
})
