/**
 * The smallest value that a JSON schema accepts: required properties only, first values, lowest bounds. Always the same
 * for the same schema. Where a schema offers alternatives, the first whose value the validator accepts is taken.
 */
import type { Json } from '../../shared/json.ts'
import { accepts } from './schema-check.ts'
import { DeadEnd, type Keywords, keywordsOf, list, type Path, type Reading } from './schema-keywords.ts'
import { smallestNumber, smallestString } from './schema-scalars.ts'

const CANDIDATES = 1000
const SURPLUS_ITEMS = 10_000

/** For a schema that nothing satisfies (or nothing we could find) the nearest attempt. */
export function smallestInstance(schema: Json): Json {
  let nearest: { value: Json } | null = null
  let fits: ((value: Json) => boolean) | null = null
  for (const reentries of [0, 2]) {
    const choices = new Choices()
    for (let tried = 0; tried < CANDIDATES; tried += 1) {
      const candidate = attempt(schema, choices, reentries)
      if (candidate !== null) {
        if (choices.none) return candidate.value
        fits ??= accepts(schema)
        if (fits(candidate.value)) return candidate.value
      }
      nearest ??= candidate
      if (!choices.next()) break
    }
  }
  return nearest?.value ?? null
}

function attempt(root: Json, choices: Choices, reentries: number): { value: Json } | null {
  try {
    return { value: instance(root, 0, [], { root, reentries, pick: (count) => choices.pick(count) }) }
  } catch (error) {
    if (error instanceof DeadEnd) return null
    throw error
  }
}

/** A walk through all combinations of alternatives, first ones first. */
class Choices {
  private readonly made: { index: number; count: number }[] = []
  private position = 0

  get none(): boolean {
    return this.made.length === 0
  }

  pick(count: number): number {
    if (count <= 1) return 0
    const known = this.made[this.position]
    if (known === undefined) this.made.push({ index: 0, count })
    this.position += 1
    return known?.index ?? 0
  }

  next(): boolean {
    this.position = 0
    for (let last = this.made.pop(); last !== undefined; last = this.made.pop()) {
      if (last.index + 1 < last.count) {
        this.made.push({ index: last.index + 1, count: last.count })
        return true
      }
    }
    return false
  }
}

/** `variant` tells apart the items of a list whose items must differ. */
function instance(schema: Json, variant: number, around: Path, reading: Reading): Json {
  const { keywords, path } = keywordsOf(schema, around, reading)
  const values = keywords.const === undefined ? keywords.enum : [keywords.const]
  const shift = keywords.not === undefined ? 0 : reading.pick(Array.isArray(values) ? values.length : 4)
  if (values !== undefined) return enumerated(list(values), keywords, variant + shift)
  const types = typesOf(keywords)
  const type = types[reading.pick(types.length)]
  switch (type) {
    case 'object':
      return object(keywords, variant + shift, path, reading)
    case 'array':
      return array(keywords, variant + shift, path, reading)
    case 'integer':
    case 'number':
      return smallestNumber(keywords, type === 'integer', variant + shift)
    case 'boolean':
      return (variant + shift) % 2 === 1
    case 'null':
      return null
    default:
      return smallestString(keywords, variant + shift)
  }
}

function enumerated(values: Json[], keywords: Keywords, variant: number): Json {
  const types = list(keywords.type)
  const fitting = types.length === 0 ? values : values.filter((value) => types.some((type) => isOf(value, type)))
  const value = fitting[variant % Math.max(1, fitting.length)]
  if (value === undefined) throw new DeadEnd()
  return value
}

function isOf(value: Json, type: Json): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

const SIGNS: readonly [type: string, keywords: readonly string[]][] = [
  [
    'object',
    ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'propertyNames', 'dependentRequired'],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'contains', 'uniqueItems']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

/** Without a type the other keywords tell what is meant; a text when nothing does. */
function typesOf(keywords: Keywords): Json[] {
  const given = list(keywords.type)
  if (given.length > 0) return given
  const sign = SIGNS.find(([, names]) => names.some((name) => keywords[name] !== undefined))
  return [sign?.[0] ?? 'string']
}

function array(keywords: Keywords, variant: number, path: Path, reading: Reading): Json {
  const tuple = keywords.prefixItems ?? (Array.isArray(keywords.items) ? keywords.items : [])
  const prefix = list(tuple)
  const more = (Array.isArray(keywords.items) ? keywords.additionalItems : keywords.items) ?? true
  const contained = keywords.contains === undefined ? 0 : Number(keywords.minContains ?? 1)
  const count = Math.max(Number(keywords.minItems ?? 0), contained, keywords.uniqueItems === true && variant > 0 ? 1 : 0)
  if (count > SURPLUS_ITEMS) throw new DeadEnd()
  const items: Json[] = []
  for (let index = 0; index < count; index += 1) {
    const own = prefix[index] ?? more
    const schema = index < contained && keywords.contains !== undefined ? { allOf: [own, keywords.contains] } : own
    items.push(instance(schema, keywords.uniqueItems === true ? variant + index : variant, path, reading))
  }
  return items
}

function object(keywords: Keywords, variant: number, path: Path, reading: Reading): Json {
  let all = keywords
  let inside = path
  const names = new Set<string>()
  const applied = new Set<Json>()
  const properties = () => record(all.properties)
  const require = (name: string) => {
    if (names.has(name)) return
    names.add(name)
    for (const needed of [...list(record(all.dependentRequired)[name]), ...list(record(all.dependencies)[name])]) {
      if (typeof needed === 'string') require(needed)
    }
    const dependents = [record(all.dependentSchemas)[name], record(all.dependencies)[name]]
    for (const dependent of dependents) {
      if (dependent === undefined || Array.isArray(dependent) || applied.has(dependent)) continue
      applied.add(dependent)
      const read = keywordsOf({ allOf: [all, dependent] }, inside, reading)
      all = read.keywords
      inside = read.path
      requireAll()
    }
  }
  const requireAll = () => {
    for (const name of list(all.required)) if (typeof name === 'string') require(name)
  }
  requireAll()
  const least = Math.max(Number(all.minProperties ?? 0), variant > 0 && names.size === 0 ? 1 : 0)
  for (const name of Object.keys(properties())) if (names.size < least && properties()[name] !== false) require(name)
  for (let extra = 1; names.size < least && extra <= SURPLUS_ITEMS; extra += 1) require(`simulated${extra}`)

  // Own members only: a property may be called `__proto__`.
  const members: [string, Json][] = []
  for (const name of names) members.push([name, instance(propertySchema(all, name), variant, inside, reading)])
  return Object.fromEntries(members)
}

function propertySchema(keywords: Keywords, name: string): Json {
  const own = Object.hasOwn(record(keywords.properties), name) ? record(keywords.properties)[name] : undefined
  const matching = Object.entries(record(keywords.patternProperties)).flatMap(([pattern, schema]) =>
    matches(pattern, name) ? [schema] : [],
  )
  const parts = own === undefined ? matching : [own, ...matching]
  if (parts.length === 0) return keywords.additionalProperties ?? true
  return parts.length === 1 ? (parts[0] ?? true) : { allOf: parts }
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name)
  } catch {
    return false
  }
}

function record(value: Json | undefined): Keywords {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
