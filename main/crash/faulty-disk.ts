/** A disk on which something happens at a chosen operation: the process dies there, or writes fail for a while. */
import { writeFileSync } from 'node:fs'
import type { Disk } from '../store/disk.ts'

/** When the process dies at an operation: before it, with half of the bytes written, or right after it. */
export const MOMENTS = ['before', 'half', 'after'] as const
export type Moment = (typeof MOMENTS)[number]

export type Fault =
  | { kind: 'none' }
  /** `at` counts everything done to the disk from 1: writes, syncs, new folders and names. */
  | { kind: 'die'; at: number; moment: Moment }
  /** Operations `from` to `from + count - 1` fail; a write that fails for want of space leaves half of its bytes behind. */
  | { kind: 'refuse'; from: number; count: number; code: 'ENOSPC' | 'EACCES' }

export class FaultyDisk implements Disk {
  readonly #disk: Disk
  readonly #fault: Fault
  readonly #die: () => void
  #operations = 0

  /** @param die ends the process; does not return in earnest */
  constructor(disk: Disk, fault: Fault, die: () => void) {
    this.#disk = disk
    this.#fault = fault
    this.#die = die
  }

  /** Writes, syncs, folders and names so far. */
  get operations(): number {
    return this.#operations
  }

  write(fd: number, bytes: Uint8Array, offset: number): number {
    const half = () => void this.#disk.write(fd, bytes.subarray(0, offset + Math.ceil((bytes.length - offset) / 2)), offset)
    return this.#operate(() => this.#disk.write(fd, bytes, offset), half)
  }

  sync(fd: number): void {
    this.#operate(() => this.#disk.sync(fd))
  }

  makeFolder(path: string): void {
    this.#operate(() => this.#disk.makeFolder(path))
  }

  rename(from: string, to: string): void {
    this.#operate(() => this.#disk.rename(from, to))
  }

  link(from: string, to: string): void {
    this.#operate(() => this.#disk.link(from, to))
  }

  syncFolder(path: string): void {
    this.#operate(() => this.#disk.syncFolder(path))
  }

  async replaceLater(from: string, to: string, text: string): Promise<void> {
    const half = () => writeFileSync(from, text.slice(0, Math.ceil(text.length / 2)))
    const dies = this.#begin(half)
    await this.#disk.replaceLater(from, to, text)
    if (dies) this.#die()
  }

  #operate<T>(whole: () => T, half: () => void = () => undefined): T {
    const dies = this.#begin(half)
    const done = whole()
    if (dies) this.#die()
    return done
  }

  /** Counts an operation, fails it or dies before it as the fault has it. @returns whether the process dies after it */
  #begin(half: () => void): boolean {
    this.#operations += 1
    const fault = this.#fault
    if (fault.kind === 'refuse' && this.#operations >= fault.from && this.#operations < fault.from + fault.count) {
      if (fault.code === 'ENOSPC') half()
      throw Object.assign(new Error(`${fault.code}: made to fail`), { code: fault.code })
    }
    if (fault.kind !== 'die' || fault.at !== this.#operations) return false
    if (fault.moment === 'half') half()
    if (fault.moment !== 'after') this.#die()
    return true
  }
}
