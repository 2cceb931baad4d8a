import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brokenInstance } from '../../main/agents/schema-broken.ts'
import { smallestInstance } from '../../main/agents/schema-instance.ts'
import type { Json } from '../../shared/json.ts'

const object = (properties: { [name: string]: Json }, required: string[] = Object.keys(properties)): Json => ({
  type: 'object',
  properties,
  required,
})

function accepts(schema: Json, value: Json): boolean {
  const draft07 = typeof schema === 'object' && schema !== null && !Array.isArray(schema) && String(schema.$schema).includes('draft-07')
  const ajv = draft07 ? new Ajv({ strict: false }) : new Ajv2020({ strict: false })
  addFormats.default(ajv)
  return ajv.validate(schema as object | boolean, value) === true
}

describe('the smallest instance', () => {
  const cases: [string, Json, Json][] = [
    ['has the required properties only', object({ a: { type: 'string' }, b: { type: 'number' } }, ['a']), { a: 'simulated' }],
    ['takes the first of an enum', { enum: ['high', 'low'] }, 'high'],
    ['takes a constant', { const: { a: 1 } }, { a: 1 }],
    ['pads a text', { type: 'string', minLength: 12 }, 'simulated...'],
    ['cuts a text', { type: 'string', maxLength: 3 }, 'sim'],
    ['takes the minimum', { type: 'number', minimum: 2.5 }, 2.5],
    ['takes a minimum below zero', { type: 'integer', minimum: -3 }, -3],
    ['takes 0 without a minimum', { type: 'number', maximum: 9 }, 0],
    ['goes below zero when it must', { type: 'integer', maximum: -3 }, -3],
    ['is above an exclusive minimum', { type: 'integer', exclusiveMinimum: 0 }, 1],
    ['is between exclusive bounds', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    ['is a multiple', { type: 'integer', minimum: 7, multipleOf: 5 }, 10],
    ['is false', { type: 'boolean' }, false],
    ['is null', { type: 'null' }, null],
    ['is an empty list', { type: 'array', items: { type: 'string' } }, []],
    ['has as many items as it must', { type: 'array', minItems: 2, items: { type: 'integer' } }, [0, 0]],
    [
      'has different items when they must differ',
      { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'string' } },
      ['simulated', 'simulated2', 'simulated3'],
    ],
    [
      'has different objects when they must differ',
      { type: 'array', minItems: 2, uniqueItems: true, items: object({ on: { type: 'boolean' } }) },
      [{ on: false }, { on: true }],
    ],
    [
      'fills a tuple',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], minItems: 3, items: { type: 'null' } },
      ['simulated', 0, null],
    ],
    [
      'fills a tuple of draft-07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'array',
        items: [{ type: 'integer' }],
        additionalItems: { type: 'null' },
        minItems: 2,
      },
      [0, null],
    ],
    ['contains what it must contain', { type: 'array', contains: { const: 'x' } }, ['x']],
    ['takes the first type', { type: ['string', 'null'] }, 'simulated'],
    ['takes the other type where the first does not fit', { type: ['string', 'null'], not: { type: 'string' } }, null],
    [
      'follows references',
      { $ref: '#/$defs/a~1b', $defs: { 'a/b': { $ref: '#/definitions/c%20d' } }, definitions: { 'c d': { type: 'integer', minimum: 4 } } },
      4,
    ],
    ['follows an anchor', { $ref: '#here', $defs: { x: { $anchor: 'here', const: 1 } } }, 1],
    [
      'joins allOf',
      { allOf: [object({ a: { type: 'integer' } }), { properties: { a: { minimum: 3 } } }, object({ b: { const: 1 } })] },
      { a: 3, b: 1 },
    ],
    ['takes the first of anyOf', { anyOf: [{ type: 'integer' }, { type: 'string' }] }, 0],
    [
      'takes the first of oneOf that is the only one',
      { oneOf: [{ type: 'number' }, { type: 'integer' }, { type: 'string' }] },
      'simulated',
    ],
    [
      'obeys if, then and else',
      {
        ...(object({ kind: { enum: ['a', 'b'] } }) as object),
        if: { properties: { kind: { const: 'a' } } },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON schema is called so.
        then: object({ x: { type: 'integer' } }),
        else: false,
      },
      { kind: 'a', x: 0 },
    ],
    [
      'adds what a property needs',
      { ...(object({ a: { const: 1 }, b: { const: 2 } }, ['a']) as object), dependentRequired: { a: ['b'] } },
      { a: 1, b: 2 },
    ],
    [
      'adds properties up to the least number',
      { type: 'object', minProperties: 2, properties: { a: { const: 1 } } },
      { a: 1, simulated1: 'simulated' },
    ],
    [
      'knows properties by pattern',
      { type: 'object', required: ['x_1'], patternProperties: { '^x_': { type: 'integer' } }, additionalProperties: false },
      { x_1: 0 },
    ],
    [
      'ends where a schema contains itself',
      { ...(object({ next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } }) as object) },
      { next: null },
    ],
    ['tells a type from the other keywords', { required: ['a'] }, { a: 'simulated' }],
    ['is a text when anything goes', true, 'simulated'],
    [
      'keeps a property called __proto__',
      JSON.parse('{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"integer"}}}') as Json,
      JSON.parse('{"__proto__":0}') as Json,
    ],
  ]
  test.each(cases)('%s', (_, schema, expected) => {
    const value = smallestInstance(schema)
    expect(value).toEqual(expected)
    expect(Object.keys(value ?? {})).toEqual(Object.keys(expected ?? {}))
    expect(accepts(schema, value)).toBe(true)
  })

  test.each([
    'date-time',
    'date',
    'time',
    'duration',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uri',
    'uri-reference',
    'uri-template',
    'uuid',
    'json-pointer',
    'relative-json-pointer',
    'regex',
    'byte',
    'iso-date-time',
    'password',
    'binary',
  ])('of the format %s is accepted', (format) => {
    const schema = { type: 'string', format }
    expect(accepts(schema, smallestInstance(schema))).toBe(true)
  })

  test('of a schema that nothing satisfies comes back all the same, for the check to refuse', () => {
    expect(smallestInstance({ type: 'object', required: ['a'], properties: { a: false } })).toBeNull()
  })

  test('of any generated schema is accepted by the validator, and always the same', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        const value = smallestInstance(schema)
        expect(accepts(schema, value), `${JSON.stringify(value)} for ${JSON.stringify(schema)}`).toBe(true)
        expect(smallestInstance(schema)).toEqual(value)
      }),
      { numRuns: 100 },
    )
  })
})

describe('the broken instance', () => {
  test('is refused, and shows one wrong member of an object', () => {
    expect(brokenInstance(object({ a: { type: 'integer' }, b: { type: 'string' } }))).toEqual({ a: null, b: 'simulated' })
  })

  test('of any generated schema that refuses something is refused', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        expect(accepts(schema, brokenInstance(schema)), JSON.stringify(schema)).toBe(false)
      }),
      { numRuns: 50 },
    )
  })
})

const bounds = (low: number, high: number) =>
  fc.tuple(fc.integer({ min: low, max: high }), fc.nat(5)).map(([least, room]) => [least, least + room] as const)

/** Schemas as people write them for answers: typed at every place, each of them satisfiable. */
const parts = fc.letrec<{ node: Json; leaf: Json }>((tie) => ({
  leaf: fc.oneof(
    fc.constant<Json>({ type: 'boolean' }),
    fc.constant<Json>({ type: 'null' }),
    bounds(0, 15).map(([minLength, maxLength]): Json => ({ type: 'string', minLength, maxLength })),
    bounds(-20, 20).map(([minimum, maximum]): Json => ({ type: 'integer', minimum, maximum })),
    bounds(-20, 20).map(([minimum, maximum]): Json => ({ type: 'number', exclusiveMinimum: minimum, exclusiveMaximum: maximum + 0.5 })),
    fc.integer({ min: -20, max: 20 }).map((maximum): Json => ({ type: 'number', maximum })),
    fc
      .tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 1, max: 7 }))
      .map(([minimum, multipleOf]): Json => ({ type: 'integer', minimum, multipleOf })),
    fc
      .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { minLength: 1, maxLength: 4 })
      .map((values): Json => ({ enum: values })),
    fc.constantFrom('date-time', 'email', 'uri', 'uuid').map((format): Json => ({ type: 'string', format })),
    fc.constantFrom<Json>({ type: ['string', 'null'] }, { type: ['null', 'integer'], minimum: 3 }),
  ),
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    tie('leaf'),
    fc
      .record({
        properties: fc.dictionary(fc.string({ maxLength: 6 }), tie('node'), { maxKeys: 4 }),
        closed: fc.boolean(),
        keep: fc.nat(15),
      })
      .map(({ properties, closed, keep }): Json => {
        const required = Object.keys(properties).filter((_, index) => (keep >> index) % 2 === 1)
        return { type: 'object', properties, required, ...(closed ? { additionalProperties: false } : {}) }
      }),
    fc.tuple(tie('node'), fc.nat(3)).map(([items, minItems]): Json => ({ type: 'array', items, minItems })),
    fc
      .array(tie('node'), { minLength: 1, maxLength: 3 })
      .map((prefixItems): Json => ({ type: 'array', prefixItems, items: false, minItems: prefixItems.length })),
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((anyOf): Json => ({ anyOf })),
    tie('node').map((node): Json => ({ allOf: [node, node] })),
    fc.constant<Json>({ $ref: '#/$defs/shared' }),
    fc
      .array(tie('node'), { minLength: 2, maxLength: 3 })
      .map((branches): Json => ({ oneOf: branches.map((branch, index) => object({ kind: { const: index }, value: branch })) })),
  ),
}))
const schemas = fc.tuple(parts.node, parts.leaf).map(([node, shared]): Json => ({ allOf: [node], $defs: { shared } }))
