/**
 * A disk as a power cut shows it: bytes that were written but not synced are kept aside and gone when the process is killed,
 * and names whose folder was not synced are taken back. Made to prove that results are synced before anybody sees them; a
 * plain kill proves nothing, since the system keeps what was written.
 */
import { existsSync, fstatSync, linkSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Disk } from '../store/disk.ts'
import { writeAll } from '../store/disk.ts'

/** A file by what it is and not by its descriptor, which may be given to another file later. */
function fileOf(fd: number): string {
  const { dev, ino } = fstatSync(fd)
  return `${dev}:${ino}`
}

/** A new name that may be lost yet: what stood there before, if anything, and where the new one came from. */
interface Name {
  folder: string
  kept: string | null
  takeBack(): void
}

export class LossyDisk implements Disk {
  readonly #disk: Disk
  readonly #aside = new Map<string, { fd: number; bytes: Buffer }>()
  readonly #names = new Map<string, Name>()

  /** @param disk where synced bytes go */
  constructor(disk: Disk) {
    this.#disk = disk
  }

  write(fd: number, bytes: Uint8Array, offset: number): number {
    const file = fileOf(fd)
    const added = bytes.subarray(offset)
    const before = this.#aside.get(file)?.bytes ?? Buffer.alloc(0)
    this.#aside.set(file, { fd, bytes: Buffer.concat([before, added]) })
    return added.length
  }

  sync(fd: number): void {
    const file = fileOf(fd)
    const kept = this.#aside.get(file)
    this.#aside.delete(file)
    if (kept !== undefined) writeAll(this.#disk, fd, kept.bytes)
    this.#disk.sync(fd)
  }

  /** Nothing is in a new folder until something gets a name in it, so a lost one is not told from an empty one. */
  makeFolder(path: string): void {
    this.#disk.makeFolder(path)
  }

  rename(from: string, to: string): void {
    const kept = this.#keepReplaced(to)
    this.#disk.rename(from, to)
    this.#named(to, kept, () => renameSync(to, from))
  }

  link(from: string, to: string): void {
    this.#disk.link(from, to)
    this.#named(to, null, () => rmSync(to))
  }

  syncFolder(path: string): void {
    this.#disk.syncFolder(path)
    for (const [to, { folder, kept }] of this.#names) {
      if (folder !== resolve(path)) continue
      this.#names.delete(to)
      if (kept !== null) rmSync(kept, { force: true })
    }
  }

  async replaceLater(from: string, to: string, text: string): Promise<void> {
    const kept = this.#keepReplaced(to)
    await this.#disk.replaceLater(from, to, text)
    this.#named(to, kept, () => rmSync(to))
  }

  /** What a power cut leaves: a first part of the unsynced bytes, and of the unsynced names. `share` is from 0 to 1. */
  spill(share: number): void {
    for (const [file, { fd, bytes }] of this.#aside) {
      try {
        if (fileOf(fd) === file) writeAll(this.#disk, fd, bytes.subarray(0, Math.floor(bytes.length * share)))
      } catch {
        // The file was closed since: nothing of it reaches the disk any more.
      }
    }
    this.#aside.clear()
    for (const [to, { kept, takeBack }] of [...this.#names].slice(Math.floor(this.#names.size * share)).reverse()) {
      if (existsSync(to)) takeBack()
      if (kept !== null) renameSync(kept, to)
    }
    this.#names.clear()
  }

  /** A name that is lost twice is what it was before the first time. */
  #named(to: string, kept: string | null, takeBack: () => void): void {
    if (!this.#names.has(to)) this.#names.set(to, { folder: resolve(dirname(to)), kept, takeBack })
  }

  /** Gives the file that is about to be replaced a second name for as long as the first may come back to it. */
  #keepReplaced(path: string): string | null {
    if (this.#names.has(path) || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null
    const kept = join(dirname(path), `.${basename(path)}.replaced`)
    rmSync(kept, { force: true })
    linkSync(path, kept)
    return kept
  }
}
