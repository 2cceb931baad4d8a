/** The markers by which a prompt tells the simulated agent what to do, e.g. `[[delay:500]]`. */
import type { Json } from '../../shared/json.ts'

export interface SimulatedScript {
  /** The prompt without its markers. */
  rest: string
  /** Time from start to answer. */
  delayMs: number
  text: string | null
  json: { value: Json } | null
  /** Output tokens; null = not given. */
  tokens: number | null
  /** How it dies: each time it is started, or the first time only. */
  die: string | null
  dieOnce: string | null
  /** So many first answers break the schema. */
  invalid: number
  hang: boolean
  /** Tools that it asks permission for, in order. */
  asks: string[]
  /** Progress events on the way. */
  events: number
  /** When a quota starts anew, ISO 8601. */
  reset: string | null
}

export const SIMULATED_DELAY_MS = 20

const MARKER = /\[\[(delay|text|json|tokens|die-once|die|invalid|hang|ask|events|reset)(:|\]\])/g

/** Reads the markers of a prompt. A marker whose value makes no sense is an error in words, not prompt text. */
export function readSimulatedScript(prompt: string): SimulatedScript | { problem: string } {
  const script: SimulatedScript = {
    rest: '',
    delayMs: SIMULATED_DELAY_MS,
    text: null,
    json: null,
    tokens: null,
    die: null,
    dieOnce: null,
    invalid: 0,
    hang: false,
    asks: [],
    events: 0,
    reset: null,
  }
  let copied = 0
  MARKER.lastIndex = 0
  for (let found = MARKER.exec(prompt); found !== null; found = MARKER.exec(prompt)) {
    const name = found[1] ?? ''
    const bare = found[2] !== ':'
    const from = MARKER.lastIndex
    const end = bare ? from : valueEnd(prompt, from, name === 'json')
    if (end === -1) return { problem: `The marker [[${name}:…]] of the prompt has no end; close it with ]]` }
    const value = bare ? '' : prompt.slice(from, end - 2)
    const problem = apply(script, name, value)
    if (problem !== null) return { problem: `The marker [[${name}${bare ? '' : `:${value}`}]] of the prompt ${problem}` }
    script.rest += prompt.slice(copied, found.index)
    copied = end
    MARKER.lastIndex = end
  }
  script.rest += prompt.slice(copied)
  return script
}

/** Where the marker is over. JSON may hold `]]` itself: the first end that leaves whole JSON is meant. */
function valueEnd(prompt: string, from: number, json: boolean): number {
  const first = prompt.indexOf(']]', from)
  for (let at = first; json && at !== -1; at = prompt.indexOf(']]', at + 1)) {
    if (parseJson(prompt.slice(from, at)) !== null) return at + 2
  }
  return first === -1 ? -1 : first + 2
}

/** Returns what is wrong with the value, or null. */
function apply(script: SimulatedScript, name: string, value: string): string | null {
  const amount = /^\d{1,9}$/.test(value.trim()) ? Number(value) : null
  switch (name) {
    case 'delay':
    case 'tokens':
    case 'invalid':
    case 'events':
      if (amount === null) return 'needs a whole number'
      if (name === 'delay') script.delayMs = amount
      else if (name === 'tokens') script.tokens = amount
      else if (name === 'invalid') script.invalid = amount
      else script.events = amount
      return null
    case 'text':
      script.text = value
      return null
    case 'json':
      script.json = parseJson(value)
      return script.json === null ? 'holds no JSON' : null
    case 'die':
    case 'die-once':
      if (value.trim() === '') return 'needs a reason'
      if (name === 'die') script.die = value.trim()
      else script.dieOnce = value.trim()
      return null
    case 'ask':
      if (value.trim() === '') return 'needs the name of a tool'
      script.asks.push(value.trim())
      return null
    case 'reset':
      if (Number.isNaN(Date.parse(value))) return 'needs a time like 2030-01-31T12:00:00Z'
      script.reset = value.trim()
      return null
    default:
      script.hang = true
      return null
  }
}

function parseJson(text: string): { value: Json } | null {
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return null
  }
}
