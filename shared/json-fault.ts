/** Where a text stops being JSON. `JSON.parse` does not always tell. */

export interface JsonFault {
  /** Index of the first character that can't be there; the length when the text ends too early. */
  at: number
  expected: string
}

const TOKEN =
  /[ \t\n\r]*(?:("(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w))|([[\]{},:]))/uy
const BLANKS = /[ \t\n\r]*/y

type State = 'value' | 'value or ]' | 'key or }' | 'key' | ':' | ', or ]' | ', or }' | 'end'

const EXPECTED: Readonly<Record<State, string>> = {
  value: 'a value',
  'value or ]': 'a value or ]',
  'key or }': 'a name in double quotes or }',
  key: 'a name in double quotes',
  ':': 'a colon',
  ', or ]': 'a comma or ]',
  ', or }': 'a comma or }',
  end: 'the end',
}

/** The state after a token in a state, or null when it does not fit. `open` holds the closing marks still owed. */
function step(state: State, scalar: string | undefined, mark: string | undefined, open: string[]): State | null {
  const after = (): State => (open.length === 0 ? 'end' : open.at(-1) === ']' ? ', or ]' : ', or }')
  const wantsValue = state === 'value' || state === 'value or ]'
  if (scalar !== undefined) {
    if (wantsValue) return after()
    return (state === 'key' || state === 'key or }') && scalar.startsWith('"') ? ':' : null
  }
  if ((mark === '[' || mark === '{') && wantsValue) {
    open.push(mark === '[' ? ']' : '}')
    return mark === '[' ? 'value or ]' : 'key or }'
  }
  if ((mark === ']' || mark === '}') && state.endsWith(`or ${mark}`)) {
    open.pop()
    return after()
  }
  if (mark === ',' && state === ', or ]') return 'value'
  if (mark === ',' && state === ', or }') return 'key'
  return mark === ':' && state === ':' ? 'value' : null
}

/** The first fault of a text as JSON, or null when it is JSON. */
export function jsonFault(text: string): JsonFault | null {
  const open: string[] = []
  let state: State = 'value'
  let at = 0
  for (;;) {
    BLANKS.lastIndex = at
    BLANKS.test(text)
    const next = BLANKS.lastIndex
    if (next === text.length && state === 'end') return null
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    const following: State | null = match === null ? null : step(state, match[1], match[2], open)
    if (following === null) return { at: next, expected: EXPECTED[state] }
    at = TOKEN.lastIndex
    state = following
  }
}
