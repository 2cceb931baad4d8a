/** `URL` and `URLSearchParams` of a script: all that the standard says, over Node's, of which nothing is handed out. */

/** Runs one step of Node's with primitives only; whatever it throws is an error of ours. */
function step<T>(run: () => T, message: string): T {
  try {
    return run()
  } catch {
    throw new TypeError(message)
  }
}

type Pairs = Iterable<[string, string]>

/** What a script may give to make parameters of, as text or pairs of texts. */
function pairsOf(init: unknown): string | [string, string][] {
  if (init === undefined || init === null) return ''
  if (typeof init !== 'object') return String(init)
  if (!(Symbol.iterator in init)) return Object.entries(init).map(([name, value]) => [name, String(value)])
  return Array.from(init as Iterable<unknown>, (pair) => {
    const both = typeof pair === 'object' && pair !== null ? Array.from(pair as Iterable<unknown>) : []
    if (both.length !== 2) throw new TypeError('URLSearchParams wants pairs of a name and a value')
    return [String(both[0]), String(both[1])]
  })
}

export class Params {
  readonly #params: URLSearchParams

  constructor(init?: unknown) {
    // Those of a URL that exists already; a script has no object of this class.
    this.#params = init instanceof URLSearchParams ? init : new URLSearchParams(pairsOf(init))
  }

  get size(): number {
    return [...this.#params].length
  }

  append(name: unknown, value: unknown): void {
    this.#params.append(String(name), String(value))
  }

  delete(name: unknown, value?: unknown): void {
    if (value === undefined) return this.#params.delete(String(name))
    const [left, right] = [String(name), String(value)]
    const kept = [...this.#params].filter((pair) => pair[0] !== left || pair[1] !== right)
    for (const other of new Set(this.#params.keys())) this.#params.delete(other)
    for (const pair of kept) this.#params.append(...pair)
  }

  get(name: unknown): string | null {
    return this.#params.get(String(name))
  }

  getAll(name: unknown): string[] {
    return this.#params.getAll(String(name))
  }

  has(name: unknown, value?: unknown): boolean {
    const all = this.#params.getAll(String(name))
    return value === undefined ? all.length > 0 : all.includes(String(value))
  }

  set(name: unknown, value: unknown): void {
    this.#params.set(String(name), String(value))
  }

  sort(): void {
    this.#params.sort()
  }

  forEach(callback: (value: string, name: string, params: Params) => void, self?: unknown): void {
    for (const [name, value] of this) callback.call(self, value, name, this)
  }

  *entries(): Generator<[string, string]> {
    for (const [name, value] of this.#params as Pairs) yield [name, value]
  }

  *keys(): Generator<string> {
    for (const [name] of this.#params as Pairs) yield name
  }

  *values(): Generator<string> {
    for (const [, value] of this.#params as Pairs) yield value
  }

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries()
  }

  toString(): string {
    return this.#params.toString()
  }
}

function parsed(url: unknown, base: unknown): URL {
  const text = String(url)
  const from = base === undefined ? undefined : String(base)
  return step(() => new URL(text, from), `Invalid URL: ${text.slice(0, 200)}`)
}

const natives = new WeakMap<object, URL>()

function nativeOf(url: object): URL {
  const found = natives.get(url)
  if (found === undefined) throw new TypeError('This is no URL')
  return found
}

export class Url {
  readonly #params: Params

  constructor(url: unknown, base?: unknown) {
    const native = parsed(url, base)
    natives.set(this, native)
    this.#params = new Params(native.searchParams)
  }

  static canParse(url: unknown, base?: unknown): boolean {
    return Url.parse(url, base) !== null
  }

  static parse(url: unknown, base?: unknown): Url | null {
    const [text, from] = [String(url), base === undefined ? undefined : String(base)]
    try {
      return new Url(text, from)
    } catch {
      return null
    }
  }

  get href(): string {
    return nativeOf(this).href
  }

  set href(value: unknown) {
    const [native, text] = [nativeOf(this), String(value)]
    step(
      () => {
        native.href = text
      },
      `Invalid URL: ${text.slice(0, 200)}`,
    )
  }

  get origin(): string {
    return nativeOf(this).origin
  }

  get searchParams(): Params {
    return this.#params
  }

  toString(): string {
    return nativeOf(this).href
  }

  toJSON(): string {
    return nativeOf(this).href
  }
}

for (const part of ['protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'] as const) {
  Object.defineProperty(Url.prototype, part, {
    get(this: Url) {
      return nativeOf(this)[part]
    },
    set(this: Url, value: unknown) {
      nativeOf(this)[part] = String(value)
    },
    enumerable: true,
    configurable: true,
  })
}

for (const [Class, name] of [
  [Url, 'URL'],
  [Params, 'URLSearchParams'],
] as const) {
  Object.defineProperty(Class, 'name', { value: name })
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: name })
}
