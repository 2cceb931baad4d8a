/**
 * A disk as a power cut shows it: what was written but not synced is kept aside and gone when the process is killed. Made
 * to prove that results are synced before anybody sees them; a plain kill proves nothing, since the system keeps what was written.
 */
import { fstatSync } from 'node:fs'
import type { Disk } from '../store/disk.ts'
import { writeAll } from '../store/disk.ts'

/** A file by what it is and not by its descriptor, which may be given to another file later. */
function fileOf(fd: number): string {
  const { dev, ino } = fstatSync(fd)
  return `${dev}:${ino}`
}

export class LossyDisk implements Disk {
  readonly #disk: Disk
  readonly #aside = new Map<string, { fd: number; bytes: Buffer }>()

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

  /** Lets a first part of what is unsynced reach its file, as a power cut in the middle of writing does. `share` is from 0 to 1. */
  spill(share: number): void {
    for (const [file, { fd, bytes }] of this.#aside) {
      try {
        if (fileOf(fd) === file) writeAll(this.#disk, fd, bytes.subarray(0, Math.floor(bytes.length * share)))
      } catch {
        // The file was closed since: nothing of it reaches the disk any more.
      }
    }
    this.#aside.clear()
  }
}
