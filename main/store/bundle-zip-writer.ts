/** Writes a zip file piece by piece under a hidden name, with the sum of each entry; it gets its name when it is whole. */
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Zip, ZipDeflate } from 'fflate'
import { AppError } from '../../shared/errors.ts'
import { removeQuietly } from './atomic-write.ts'
import { fsCode, isMissing, nodeDisk, writeAll, writeError } from './disk.ts'

export interface WrittenEntry {
  name: string
  bytes: number
  sha256: string
}

export class ZipWriter {
  readonly entries: WrittenEntry[] = []
  /** Bytes of all entries, unpacked. */
  bytes = 0
  readonly #path: string
  readonly #temp: string
  readonly #fd: number
  readonly #zip: Zip
  #isOpen = true

  /** @throws AppError `file-missing` when the folder is none, `no-permission`, `disk-full` */
  constructor(path: string) {
    this.#path = path
    this.#temp = join(dirname(path), `.${basename(path)}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`)
    try {
      this.#fd = openSync(this.#temp, 'wx')
    } catch (error) {
      if (isMissing(error))
        throw new AppError('file-missing', `There is no folder ${dirname(path)}. Make it, or choose another one with -o.`)
      throw writeError(error, path)
    }
    this.#zip = new Zip((error, data) => {
      if (error !== null) throw error
      writeAll(nodeDisk, this.#fd, data)
    })
  }

  add(name: string, chunks: Iterable<Uint8Array>): void {
    const hash = createHash('sha256')
    let bytes = 0
    const file = new ZipDeflate(name, { level: 6 })
    try {
      this.#zip.add(file)
      for (const chunk of chunks) {
        hash.update(chunk)
        bytes += chunk.length
        file.push(chunk, false)
      }
      file.push(new Uint8Array(0), true)
    } catch (error) {
      throw writeError(error, this.#path)
    }
    this.bytes += bytes
    this.entries.push({ name, bytes, sha256: hash.digest('hex') })
  }

  /**
   * Ends the zip and gives it its name.
   * @throws AppError `file-exists` when the name is taken and may not be replaced
   */
  finish(replace: boolean): void {
    try {
      this.#zip.end()
      fsyncSync(this.#fd)
      this.#close()
      this.#name(replace)
      nodeDisk.syncFolder(dirname(this.#path))
    } catch (error) {
      throw writeError(error, this.#path)
    }
  }

  /** Leaves nothing behind; after `finish` there is nothing left to remove. */
  discard(): void {
    this.#close()
    removeQuietly(this.#temp)
  }

  #name(replace: boolean): void {
    if (replace) {
      renameSync(this.#temp, this.#path)
      return
    }
    try {
      // Unlike a rename, a link never takes the place of what is there.
      linkSync(this.#temp, this.#path)
    } catch (error) {
      if (fsCode(error) === 'EEXIST') throw fileExists(this.#path)
      // A file system without links: the look and the rename are two steps there.
      if (existsSync(this.#path)) throw fileExists(this.#path)
      renameSync(this.#temp, this.#path)
    }
  }

  #close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    closeSync(this.#fd)
  }
}

export function fileExists(path: string): AppError {
  return new AppError('file-exists', `${path} exists already and was left as it is. Choose another name with -o, or add --force.`)
}
