/**
 * One small file of the app's own data folder: read once at start, held in memory, replaced whole and atomically on change.
 * A file that can't be read is set aside and defaults are used; one of a newer version is left alone and never written.
 */
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeFile } from 'atomically'
import type * as z from 'zod'

const SCHEMA_VERSION = 1

export class AppFile<T> {
  readonly #path: string
  #value: T
  #isReadOnly = false
  #writing: Promise<void> = Promise.resolve()
  #isDirty = false

  /**
   * @param path where it lies
   * @param schema of the data beside `schemaVersion`
   * @param defaults used when there is no usable file
   */
  constructor(path: string, schema: z.ZodType<T>, defaults: T) {
    this.#path = path
    this.#value = this.#read(schema) ?? defaults
  }

  get value(): T {
    return this.#value
  }

  /** Changes the value at once; the file follows. Many changes in a row are one write. */
  set(value: T): void {
    this.#value = value
    if (this.#isReadOnly || this.#isDirty) return
    this.#isDirty = true
    this.#writing = this.#writing.then(() => this.#write())
  }

  /** Resolves when everything that was set is on disk, or could not be written. */
  flush(): Promise<void> {
    return this.#writing
  }

  async #write(): Promise<void> {
    this.#isDirty = false
    try {
      mkdirSync(dirname(this.#path), { recursive: true })
      await writeFile(this.#path, `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, data: this.#value }, null, 2)}\n`)
    } catch (error) {
      // The app goes on with what is in memory; the next change tries again.
      console.error(`${this.#path} could not be written`, error)
    }
  }

  #read(schema: z.ZodType<T>): T | undefined {
    if (!existsSync(this.#path)) return undefined
    try {
      const { schemaVersion, data } = JSON.parse(readFileSync(this.#path, 'utf8'))
      if (typeof schemaVersion === 'number' && schemaVersion > SCHEMA_VERSION) {
        this.#isReadOnly = true
        const newer = schema.safeParse(data)
        return newer.success ? newer.data : undefined
      }
      return schema.parse(data)
    } catch (error) {
      const aside = `${this.#path}.corrupt-${new Date().toISOString().slice(0, 10)}`
      console.error(`${this.#path} can't be read and was set aside as ${aside}`, error)
      renameSync(this.#path, aside)
      return undefined
    }
  }
}
