/**
 * The few globals of the web platform that a script has. Node's own classes and errors carry more than the standard says: an
 * error of `atob` was a way to Node's file system. So every one of these is a class or function of ours around Node's, takes
 * and gives nothing but primitives, bytes and plain data, and throws errors of ours.
 */
import { Params, Url } from './web-url.ts'

/**
 * Takes from this thread's `DOMException` what makes its instances cloneable: with that, a clone is whatever the script says.
 * Before lockdown. None is handed to a script; this is for one that slips through.
 */
export function trimWebGlobals(): void {
  for (const symbol of Object.getOwnPropertySymbols(DOMException.prototype))
    if (symbol !== Symbol.toStringTag) Reflect.deleteProperty(DOMException.prototype, symbol)
}

/** By name; to be hardened by the caller. */
export function webGlobals(): Record<string, unknown> {
  harden(Exception)
  return {
    structuredClone: functions.structuredClone,
    URL: Url,
    URLSearchParams: Params,
    TextEncoder: Encoder,
    TextDecoder: Decoder,
    atob: functions.atob,
    btoa: functions.btoa,
    queueMicrotask: functions.queueMicrotask,
  }
}

const native = { structuredClone, atob, btoa, queueMicrotask }

/** The error that a script sees where the standard says `DOMException`; it is no global of a script, but a class it can meet. */
class Exception extends Error {
  constructor(message: string, name: string) {
    super(message)
    Object.defineProperty(this, 'name', { value: name, configurable: true, writable: true })
  }
}

/** What Node throws as a `DOMException` becomes ours; an error of the script, thrown from within, stays what it is. */
function withoutNative<T>(run: () => T): T {
  try {
    return run()
  } catch (thrown) {
    if (thrown instanceof DOMException) throw new Exception(thrown.message, thrown.name)
    throw thrown
  }
}

const functions = {
  // Without options: there is nothing to transfer to.
  structuredClone(value: unknown): unknown {
    return withoutNative(() => native.structuredClone(value))
  },
  atob(text: unknown): string {
    const plain = String(text)
    return withoutNative(() => native.atob(plain))
  },
  btoa(text: unknown): string {
    const plain = String(text)
    return withoutNative(() => native.btoa(plain))
  },
  // A callback is called by the language itself, so that no frame of ours stands below it.
  queueMicrotask(callback: unknown): void {
    if (typeof callback !== 'function') throw new TypeError('queueMicrotask() wants a function')
    native.queueMicrotask(callback as () => void)
  },
}

class Encoder {
  readonly #encoder = new TextEncoder()

  get encoding(): string {
    return 'utf-8'
  }

  encode(text: unknown = ''): Uint8Array {
    return this.#encoder.encode(String(text))
  }

  encodeInto(text: unknown, into: Uint8Array): { read: number; written: number } {
    if (!(into instanceof Uint8Array)) throw new TypeError('encodeInto() wants a Uint8Array to write to')
    return this.#encoder.encodeInto(String(text), into)
  }
}

class Decoder {
  readonly #decoder: InstanceType<typeof TextDecoder>

  constructor(label: unknown = 'utf-8', options?: { fatal?: boolean; ignoreBOM?: boolean }) {
    const name = String(label)
    const plain = { fatal: Boolean(options?.fatal), ignoreBOM: Boolean(options?.ignoreBOM) }
    try {
      this.#decoder = new TextDecoder(name, plain)
    } catch {
      throw new RangeError(`TextDecoder knows no encoding "${name.slice(0, 60)}"`)
    }
  }

  get encoding(): string {
    return this.#decoder.encoding
  }

  get fatal(): boolean {
    return this.#decoder.fatal
  }

  get ignoreBOM(): boolean {
    return this.#decoder.ignoreBOM
  }

  decode(bytes?: Uint8Array | ArrayBuffer, options?: { stream?: boolean }): string {
    const decoder = this.#decoder
    const stream = Boolean(options?.stream)
    if (bytes !== undefined && !ArrayBuffer.isView(bytes) && !(bytes instanceof ArrayBuffer))
      throw new TypeError('decode() wants an ArrayBuffer or a view of one')
    try {
      return decoder.decode(bytes, { stream })
    } catch {
      throw new TypeError(`These bytes are no ${decoder.encoding} text`)
    }
  }
}

for (const [Class, name] of [
  [Exception, 'DOMException'],
  [Encoder, 'TextEncoder'],
  [Decoder, 'TextDecoder'],
] as const) {
  Object.defineProperty(Class, 'name', { value: name })
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: name })
}
