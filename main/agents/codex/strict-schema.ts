/**
 * A JSON Schema in the dialect that OpenAI's models keep to word by word: an object at the top, every member required and no
 * others, and only some of the limits. The answer is turned back; whether it keeps to the schema itself is checked elsewhere.
 */
import type { Json } from '../../../shared/json.ts'

export interface StrictSchema {
  schema: Json
  /** Makes of an answer in the dialect one in the schema's own shape. */
  back(answer: Json): Json
}

type Fields = Record<string, Json>

/** Understood as they are. Other limits are told to the model in words. */
const KEPT: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'description', 'title', '$ref', 'pattern', 'format', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
])
/** Said elsewhere, or said to nobody. */
const SILENT: ReadonlySet<string> = new Set(['$schema', '$id', '$comment', 'default', 'examples', 'required', 'properties', 'items'])
const FORMATS: ReadonlySet<string> = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])
/** What the dialect has no way to say. */
const BEYOND = ['allOf', 'not', 'if', 'then', 'else', 'patternProperties', 'propertyNames', 'dependentSchemas', 'dependentRequired']
const BEYOND_TOO = ['prefixItems', 'unevaluatedProperties', 'unevaluatedItems', 'contains', 'additionalItems', '$dynamicRef']

/** Null for a schema that the dialect can't say: the model has to be told in words then. */
export function strictSchema(schema: Json): StrictSchema | null {
  const root = fields(schema)
  if (root === null) return null
  const isObject = root['type'] === 'object' && root['anyOf'] === undefined && root['oneOf'] === undefined && root['$ref'] === undefined
  try {
    if (isObject) return { schema: translated(root), back: (answer) => withoutNulls(answer, root, root) }
    const { $defs, definitions, ...inner } = root
    const shared = { ...(fields($defs) ?? {}) }
    if (definitions !== undefined) return null
    const defs = Object.keys(shared).length === 0 ? {} : { $defs: mapped(shared, translated) }
    const wrapped = { type: 'object', properties: { value: translated(inner) }, required: ['value'], additionalProperties: false, ...defs }
    return { schema: wrapped, back: (answer) => withoutNulls(fields(answer)?.['value'] ?? null, inner, root) }
  } catch (error) {
    if (error instanceof Unsayable) return null
    throw error
  }
}

class Unsayable extends Error {}

function translated(schema: Json): Fields {
  const given = fields(schema)
  if (given === null || [...BEYOND, ...BEYOND_TOO, 'definitions'].some((key) => key in given)) throw new Unsayable()
  if (!['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf'].some((key) => key in given)) throw new Unsayable()
  const told: string[] = []
  const result: Fields = {}
  for (const [key, value] of Object.entries(given)) {
    if (KEPT.has(key) && (key !== 'format' || FORMATS.has(String(value)))) result[key] = value
    else if (!SILENT.has(key) && !['anyOf', 'oneOf', '$defs', 'additionalProperties'].includes(key))
      told.push(`${key}: ${JSON.stringify(value)}`)
  }
  const choices = given['anyOf'] ?? given['oneOf']
  if (Array.isArray(choices)) result['anyOf'] = choices.map(translated)
  if (given['$defs'] !== undefined) result['$defs'] = mapped(fields(given['$defs']) ?? {}, translated)
  if (isOf(given, 'array')) result['items'] = translated(given['items'] ?? null)
  if (isOf(given, 'object')) Object.assign(result, members(given))
  if (told.length > 0) result['description'] = [given['description'], `(${told.join(', ')})`].filter((part) => part !== undefined).join(' ')
  return result
}

function members(given: Fields): Fields {
  const properties = fields(given['properties'])
  const more = given['additionalProperties']
  // Members under any name can't be said.
  if (properties === null || (fields(more) !== null && Object.keys(fields(more) ?? {}).length > 0)) throw new Unsayable()
  const required = requiredOf(given)
  const all = Object.entries(properties).map(([name, member]): [string, Json] => {
    const inside = translated(member)
    return [name, required.includes(name) ? inside : { anyOf: [inside, { type: 'null' }] }]
  })
  return { properties: Object.fromEntries(all), required: Object.keys(properties), additionalProperties: false }
}

/** Takes out the nulls by which the dialect says that a member is not there. */
function withoutNulls(answer: Json, schema: Json, root: Fields): Json {
  const own = resolved(schema, root)
  if (own === null) return answer
  if (Array.isArray(answer)) return answer.map((item) => withoutNulls(item, own['items'] ?? null, root))
  const value = fields(answer)
  if (value === null) return answer
  const properties = fields(own['properties'])
  if (properties === null) {
    const choices = own['anyOf'] ?? own['oneOf']
    const fitting = Array.isArray(choices) ? choices.find((choice) => fits(value, resolved(choice, root))) : undefined
    return fitting === undefined ? answer : withoutNulls(answer, fitting, root)
  }
  const required = requiredOf(own)
  const kept = Object.entries(value).filter(([name, member]) => member !== null || required.includes(name) || !(name in properties))
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member, properties[name] ?? null, root)]))
}

/** Of several shapes the one whose members are those of the value. */
function fits(value: Fields, schema: Fields | null): boolean {
  const properties = fields(schema?.['properties'] ?? null)
  if (properties === null) return false
  const isConstant = (name: string) => {
    const wanted = fields(properties[name] ?? null)?.['const']
    return wanted === undefined || wanted === value[name]
  }
  return Object.keys(value).every((name) => name in properties && isConstant(name))
}

function resolved(schema: Json, root: Fields): Fields | null {
  const own = fields(schema)
  const reference = own?.['$ref']
  if (typeof reference !== 'string') return own
  if (reference === '#') return root
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1]
  return name === undefined ? null : fields(fields(root['$defs'] ?? null)?.[name] ?? null)
}

function isOf(schema: Fields, type: string): boolean {
  return schema['type'] === type || (Array.isArray(schema['type']) && schema['type'].includes(type))
}

function requiredOf(schema: Fields): Json[] {
  return Array.isArray(schema['required']) ? schema['required'] : []
}

function mapped(all: Fields, change: (value: Json) => Json): Fields {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, change(value)]))
}

function fields(value: Json | undefined): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
}
