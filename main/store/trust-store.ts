/** `trust.json` in the app's data folder: the texts that a person allowed to touch this machine, by their hash. */
import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { AppError } from '../../shared/errors.ts'
import { replaceFile } from './atomic-write.ts'
import { dataFolder } from './data-folder.ts'
import { isMissing, writeError } from './disk.ts'

const VERSION = 1
const TrustFile = z.object({
  schemaVersion: z.number().int(),
  texts: z.record(z.string(), z.object({ path: z.string(), at: z.number() })),
})
type TrustFile = z.infer<typeof TrustFile>

const NONE: TrustFile = { schemaVersion: VERSION, texts: {} }

export class TrustStore {
  /** Where the file lies. */
  readonly folder: string
  readonly #path: string

  constructor(folder: string = dataFolder()) {
    this.folder = folder
    this.#path = join(folder, 'trust.json')
  }

  /** Whether this very text is trusted. A file that can't be read trusts nothing. */
  isTrusted(sha256: string): boolean {
    const file = this.#read()
    return file !== 'damaged' && Object.hasOwn(file.texts, sha256)
  }

  /**
   * Remembers a text; what others trusted meanwhile is kept. A damaged file is set aside first.
   * @param path where the text was, for people; @param at milliseconds since 1970
   * @throws AppError `newer-format`, `disk-full`, `no-permission`
   */
  trust(sha256: string, path: string, at: number = Date.now()): void {
    try {
      mkdirSync(this.folder, { recursive: true })
      let file = this.#read()
      if (file === 'damaged') {
        renameSync(this.#path, `${this.#path}.corrupt-${new Date(at).toISOString().replaceAll(':', '-')}`)
        file = NONE
      }
      if (file.schemaVersion > VERSION) {
        throw new AppError('newer-format', `${this.#path} was written by a newer version of Reprise. Update to trust more workflows.`)
      }
      replaceFile(this.#path, `${JSON.stringify({ ...file, texts: { ...file.texts, [sha256]: { path, at } } }, null, 2)}\n`)
    } catch (error) {
      throw writeError(error, this.#path)
    }
  }

  #read(): TrustFile | 'damaged' {
    let text: string
    try {
      text = readFileSync(this.#path, 'utf8')
    } catch (error) {
      if (isMissing(error)) return NONE
      throw writeError(error, this.#path)
    }
    try {
      const parsed = TrustFile.safeParse(JSON.parse(text))
      return parsed.success ? parsed.data : 'damaged'
    } catch {
      return 'damaged'
    }
  }
}
