/**
 * The keywords that hold for one value: a schema with its references followed, its `allOf` parts joined and one branch of
 * each alternative taken. Which branch is the caller's choice.
 */
import { canonicalJson, type Json } from '../../shared/json.ts'

export type Keywords = { [keyword: string]: Json }

/** No value can satisfy the schema this way. */
export class DeadEnd extends Error {}

export interface Reading {
  root: Json
  /** Picks one of `count` alternatives. */
  pick(count: number): number
  /** How often a schema may be met again inside itself. */
  reentries: number
}

/** Schemas around the present place, outermost first: how a schema that contains itself is noticed. */
export type Path = readonly Json[]

/** @throws DeadEnd when the schema is `false`, contradicts itself or goes in circles. */
export function keywordsOf(schema: Json, path: Path, reading: Reading): { keywords: Keywords; path: Path } {
  if (schema === false) throw new DeadEnd()
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return { keywords: {}, path }
  if (path.filter((around) => around === schema).length > reading.reentries) throw new DeadEnd()
  const { $ref, $dynamicRef, $recursiveRef, allOf, anyOf, oneOf, if: condition, then: yes, else: no, ...own } = schema
  const here: Path = [...path, schema]
  const inside = new Set(here)
  let keywords: Keywords = own
  const join = (part: Json) => {
    const read = keywordsOf(part, here, reading)
    for (const met of read.path) inside.add(met)
    keywords = joined(keywords, read.keywords)
  }
  const reference = $ref ?? $dynamicRef ?? $recursiveRef
  if (typeof reference === 'string') join(referenced(reading.root, reference))
  for (const part of Array.isArray(allOf) ? allOf : []) join(part)
  for (const branches of [anyOf, oneOf]) {
    if (Array.isArray(branches)) join(branches[reading.pick(branches.length)] ?? false)
  }
  if (condition !== undefined) {
    if (reading.pick(2) === 0) join(no ?? true)
    else for (const part of [condition, yes ?? true]) join(part)
  }
  return { keywords, path: [...inside, ...repeated(here)] }
}

/** Schemas that were met again inside themselves, once for each time. */
function repeated(path: Path): Path {
  return path.filter((schema, index) => path.indexOf(schema) !== index)
}

/** What a `$ref` inside this document means: a JSON pointer, an anchor, or an `$id` within it. */
function referenced(root: Json, reference: string): Json {
  const [base = '', fragment = ''] = reference.split('#', 2)
  const start = base === '' ? root : find(root, (node) => node.$id === base)
  if (start === undefined) throw new DeadEnd()
  if (fragment === '') return start
  if (!fragment.startsWith('/')) {
    const anchored = find(start, (node) => node.$anchor === fragment || node.$dynamicAnchor === fragment || node.$id === `#${fragment}`)
    if (anchored === undefined) throw new DeadEnd()
    return anchored
  }
  let at: Json | undefined = start
  for (const step of fragment.slice(1).split('/')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    at = typeof at === 'object' && at !== null ? (at as Keywords)[name] : undefined
  }
  if (at === undefined) throw new DeadEnd()
  return at
}

function find(node: Json, wanted: (node: Keywords) => boolean): Json | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  if (!Array.isArray(node) && wanted(node)) return node
  for (const child of Object.values(node)) {
    const found = find(child, wanted)
    if (found !== undefined) return found
  }
  return undefined
}

const LARGER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains']
const SMALLER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains']
const BY_NAME = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies']

/** Both sets of keywords at once. */
function joined(a: Keywords, b: Keywords): Keywords {
  const result: Keywords = { ...a }
  for (const [name, theirs] of Object.entries(normal(b))) {
    const ours = normal(a)[name]
    result[name] = ours === undefined ? theirs : both(name, ours, theirs)
  }
  if (result.enum !== undefined) delete result.const
  return result
}

function normal(keywords: Keywords): Keywords {
  return keywords.const === undefined || keywords.enum !== undefined ? keywords : { ...keywords, enum: [keywords.const] }
}

function both(name: string, ours: Json, theirs: Json): Json {
  if (LARGER.includes(name)) return Math.max(Number(ours), Number(theirs))
  if (SMALLER.includes(name)) return Math.min(Number(ours), Number(theirs))
  if (name === 'type') return commonTypes(ours, theirs)
  if (name === 'enum') return commonValues(ours, theirs)
  if (name === 'required') return [...new Set([...list(ours), ...list(theirs)])]
  if (name === 'uniqueItems') return ours === true || theirs === true
  if (name === 'multipleOf') return commonMultiple(Number(ours), Number(theirs))
  if (name === 'dependentRequired') return byName(ours, theirs, (x, y) => [...list(x), ...list(y)])
  if (BY_NAME.includes(name)) return byName(ours, theirs, (x, y) => ({ allOf: [x, y] }))
  if (name === 'prefixItems') return longer(list(ours), list(theirs))
  if (name === 'items' && (Array.isArray(ours) || Array.isArray(theirs))) return Array.isArray(ours) ? ours : theirs
  if (name === 'items' || name === 'additionalProperties' || name === 'contains' || name === 'additionalItems')
    return { allOf: [ours, theirs] }
  return ours
}

function commonTypes(ours: Json, theirs: Json): Json {
  const allowed = list(theirs)
  const types = list(ours).flatMap((type) => {
    if (allowed.includes(type)) return [type]
    if (type === 'number' && allowed.includes('integer')) return ['integer']
    return type === 'integer' && allowed.includes('number') ? ['integer'] : []
  })
  if (types.length === 0) throw new DeadEnd()
  return types
}

function commonValues(ours: Json, theirs: Json): Json {
  const allowed = new Set(list(theirs).map((value) => canonicalJson(value)))
  const values = list(ours).filter((value) => allowed.has(canonicalJson(value)))
  if (values.length === 0) throw new DeadEnd()
  return values
}

function commonMultiple(a: number, b: number): number {
  for (let times = 1; times <= 1000; times += 1) {
    if (Number.isInteger((a * times) / b)) return a * times
  }
  throw new DeadEnd()
}

function byName(ours: Json, theirs: Json, join: (a: Json, b: Json) => Json): Json {
  const result: Keywords = { ...(ours as Keywords) }
  for (const [name, value] of Object.entries(theirs as Keywords)) {
    const present = result[name]
    result[name] = present === undefined ? value : join(present, value)
  }
  return result
}

function longer(ours: Json[], theirs: Json[]): Json[] {
  const length = Math.max(ours.length, theirs.length)
  return Array.from({ length }, (_, index) => ({ allOf: [ours[index] ?? true, theirs[index] ?? true] }))
}

/** A keyword's value as a list: one type is a list of one. */
export function list(value: Json | undefined): Json[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}
