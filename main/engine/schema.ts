/** Checks structured output against the schema an agent call asked for. Validators are kept by the schema's hash. */
import { Ajv as Ajv7, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { canonicalJson, type Json } from '../../shared/json.ts'
import { sha256 } from './fingerprint.ts'

export type SchemaCheck = (value: Json) => { ok: true } | { ok: false; problem: string }

const checks = new Map<string, SchemaCheck>()

/**
 * A check for a JSON Schema (2020-12, or draft-07 when `$schema` says so), with formats.
 * @throws Error when the schema itself is invalid, with what is wrong in it.
 */
export function schemaCheck(schema: Json): SchemaCheck {
  const key = sha256(canonicalJson(schema))
  const known = checks.get(key)
  if (known !== undefined) return known
  const validate = compile(schema)
  const check: SchemaCheck = (value) => (validate(value) ? { ok: true } : { ok: false, problem: problemOf(validate) })
  checks.set(key, check)
  return check
}

/** Each schema gets an instance of its own, so that two with the same `$id` do not meet. */
function compile(schema: Json): ValidateFunction {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) throw new Error('a schema is an object')
  const draft = typeof schema['$schema'] === 'string' ? schema['$schema'] : ''
  const options = { strict: false, allErrors: false, validateFormats: true } as const
  const ajv = /draft-0[4-7]/.test(draft) ? new Ajv7(options) : new Ajv2020(options)
  addFormats.default(ajv)
  return ajv.compile(schema)
}

function problemOf(validate: ValidateFunction): string {
  const [first] = validate.errors ?? []
  if (first === undefined) return 'the value does not match'
  const path = first.instancePath === '' ? 'the value' : first.instancePath
  return `${path} ${first.message ?? 'does not match'}`
}
