/** Reads the answer out of what a program wrote. */
import type { CommandOptions } from '../../../shared/contract/agents.ts'
import type { Json } from '../../../shared/json.ts'
import type { Output } from '../command.ts'
import { OUTPUT_CAP_BYTES } from '../output-capture.ts'

export type Answer = { value: Json } | { problem: string }

/** @param wantsJson a schema was given: text that holds JSON is that JSON, anything else stays text for the schema's check */
export function answerOf({ text, dropped }: Output, output: CommandOptions['output'], wantsJson: boolean): Answer {
  if (dropped > 0) return { problem: `The program wrote more than ${OUTPUT_CAP_BYTES / 1024 / 1024} MB, too much for an answer` }
  if (output === 'text') return { value: wantsJson ? jsonIn(text) : text.replace(/\r?\n$/, '') }
  const whole = parsed(text)
  if (whole === null) return { problem: `The program was to write JSON and wrote: ${beginning(text)}` }
  if (output === 'json') return { value: whole.value }
  const found = memberAt(whole.value, output.field)
  if (found === undefined) return { problem: `The program’s JSON has no “${output.field}”; it is: ${beginning(text)}` }
  return { value: wantsJson && typeof found === 'string' ? jsonIn(found) : found }
}

/** Models like to put JSON into a fence, or a sentence before it. */
function jsonIn(text: string): Json {
  const fenced = /```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n[ \t]*```/.exec(text)?.[1]
  const from = text.search(/[[{]/)
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  const candidates = [text, fenced, from === -1 || to < from ? undefined : text.slice(from, to + 1)]
  for (const candidate of candidates) {
    const found = candidate === undefined ? null : parsed(candidate)
    if (found !== null) return found.value
  }
  return text
}

function parsed(text: string): { value: Json } | null {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) as Json }
  } catch {
    return null
  }
}

/** @param path names joined by dots; a number is a place in a list, negative ones count from its end */
function memberAt(value: Json, path: string): Json | undefined {
  let at: Json | undefined = value
  for (const key of path.split('.')) {
    if (Array.isArray(at)) at = at.at(Number(key))
    else if (typeof at === 'object' && at !== null && Object.hasOwn(at, key)) at = at[key]
    else return undefined
  }
  return at
}

function beginning(text: string): string {
  const line = text.trim().slice(0, 200)
  return line === '' ? 'nothing' : line
}
