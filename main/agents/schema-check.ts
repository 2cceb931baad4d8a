/** Whether a value satisfies a JSON schema (2020-12, or draft-07 where it says so): for answers that are made from schemas. */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Json } from '../../shared/json.ts'

/** A schema that can't be compiled accepts everything: who asked with it is told by the engine. */
export function accepts(schema: Json): (value: Json) => boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return () => schema !== false
  const options = { strict: false, logger: false } as const
  const ajv = /draft-0[4-7]/.test(String(schema.$schema)) ? new Ajv(options) : new Ajv2020(options)
  addFormats.default(ajv)
  try {
    const validate = ajv.compile(schema)
    return (value) => validate(value) === true
  } catch {
    return () => true
  }
}
