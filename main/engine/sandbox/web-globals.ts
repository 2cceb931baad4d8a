/**
 * The few globals of the web platform that a script has. Node's own carry more than the standard says: handles of native
 * objects, a way to the inspector, a store of blobs. What a script gets carries nothing of that.
 */

/** Takes from this thread's classes what leads out of the script's world. Before lockdown, while they can be changed. */
export function trimWebGlobals(): void {
  const inspect = Symbol.for('nodejs.util.inspect.custom')
  for (const { prototype } of [URL, URLSearchParams]) Reflect.deleteProperty(prototype, inspect)
  for (const name of ['createObjectURL', 'revokeObjectURL']) Reflect.deleteProperty(URL, name)
}

/** By name; to be hardened by the caller. `DOMException` is no global of a script, but the class of errors that it catches. */
export function webGlobals(): Record<string, unknown> {
  harden(DOMException)
  return { structuredClone: cloned, URL, URLSearchParams, TextEncoder: Encoder, TextDecoder: Decoder, atob, btoa, queueMicrotask: queue }
}

// Without options: there is nothing to transfer to.
const cloned = { structuredClone: (value: unknown): unknown => structuredClone(value) }.structuredClone

// A callback is called by the language itself, so that no frame of ours stands below it.
const queue = {
  queueMicrotask(callback: unknown): void {
    if (typeof callback !== 'function') throw new TypeError('queueMicrotask() wants a function')
    queueMicrotask(callback as () => void)
  },
}.queueMicrotask

class Encoder {
  readonly #encoder = new TextEncoder()

  get encoding(): string {
    return 'utf-8'
  }

  encode(text?: string): Uint8Array {
    return this.#encoder.encode(text)
  }

  encodeInto(text: string, into: Uint8Array): { read: number; written: number } {
    return this.#encoder.encodeInto(text, into)
  }
}

class Decoder {
  readonly #decoder: InstanceType<typeof TextDecoder>

  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean }) {
    this.#decoder = new TextDecoder(label, options)
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
    return this.#decoder.decode(bytes, options)
  }
}

for (const [Class, name] of [
  [Encoder, 'TextEncoder'],
  [Decoder, 'TextDecoder'],
] as const) {
  Object.defineProperty(Class, 'name', { value: name })
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: name })
}
