/** Whether a value satisfies a JSON schema (2020-12, or draft-07 where it says so), for answers that are made from schemas. */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Json } from '../../shared/json.ts'

const KEPT = 64
const compiled = new Map<string, (value: Json) => boolean>()

/** A schema that can't be compiled accepts everything: who asked with it is told elsewhere. */
export function schemaCheck(schema: Json): (value: Json) => boolean {
  const key = JSON.stringify(schema)
  const known = compiled.get(key)
  if (known !== undefined) return known
  const check = compile(schema)
  const oldest = compiled.size >= KEPT ? compiled.keys().next() : null
  if (oldest?.done === false) compiled.delete(oldest.value)
  compiled.set(key, check)
  return check
}

function compile(schema: Json): (value: Json) => boolean {
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema))) return () => true
  const named = typeof schema === 'object' ? String(schema.$schema ?? '') : ''
  const options = { strict: false, logger: false, allErrors: false } as const
  const ajv = named.includes('draft-07') ? new Ajv(options) : new Ajv2020(options)
  addFormats.default(ajv)
  try {
    const validate = ajv.compile(schema)
    return (value) => validate(value) === true
  } catch {
    return () => true
  }
}
