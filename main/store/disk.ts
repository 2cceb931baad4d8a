/** The disk operations whose failure decides what counts as saved, as a seam, and the words for those failures. */
import { closeSync, constants, fdatasyncSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../shared/errors.ts'

export interface Disk {
  /** Writes some bytes from `offset` on; returns how many, which may be fewer than asked when the disk is nearly full. */
  write(fd: number, bytes: Uint8Array, offset: number): number
  /** Returns when everything written to `fd` is on the disk. */
  sync(fd: number): void
  makeFolder(path: string): void
  /** Gives a file or folder the name `to`, in place of what had it; durable once `syncFolder` has returned. */
  rename(from: string, to: string): void
  /** A second name for a file; fails with `EEXIST` when it is taken. Durable once `syncFolder` has returned. */
  link(from: string, to: string): void
  /** Returns when the names in a folder are on the disk. Where folders can't be synced (Windows) a new name is by itself. */
  syncFolder(path: string): void
  /** For caches: writes and syncs a new file `from` and gives it the name `to`, off the calling thread's time. */
  replaceLater(from: string, to: string, text: string): Promise<void>
}

export const nodeDisk: Disk = {
  write: (fd, bytes, offset) => writeSync(fd, bytes, offset),
  sync: fdatasyncSync,
  makeFolder: (path) => mkdirSync(path),
  rename(from, to) {
    for (let tries = 1; ; tries++) {
      try {
        renameSync(from, to)
        return
      } catch (error) {
        if (!mayPass(error, tries)) throw error
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS * tries)
      }
    }
  },
  link: linkSync,
  syncFolder(path) {
    if (process.platform === 'win32') return
    const fd = openSync(path, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  },
  async replaceLater(from, to, text) {
    const file = await open(from, 'wx')
    try {
      await file.writeFile(text)
      await file.datasync()
    } finally {
      await file.close()
    }
    for (let tries = 1; ; tries++) {
      try {
        renameSync(from, to)
        return
      } catch (error) {
        if (!mayPass(error, tries)) throw error
        await pause(BUSY_MS * tries)
      }
    }
  },
}

const RENAME_TRIES = 8
const BUSY_MS = 10

/** On Windows a virus scanner or an open reader holds a file for a moment. */
function mayPass(error: unknown, tries: number): boolean {
  return process.platform === 'win32' && tries < RENAME_TRIES && ['EPERM', 'EBUSY', 'EACCES'].includes(fsCode(error) ?? '')
}

/** Opens without following a link, so that a link planted in a run folder leads nowhere. The flag is 0 where there is none. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0

export function writeAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  let offset = 0
  while (offset < bytes.length) offset += disk.write(fd, bytes, offset)
}

/** The `code` of a file system error, null for anything else. */
export function fsCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? code : null
}

export function isMissing(error: unknown): boolean {
  const code = fsCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** A failed write as an error a person can act on: `disk-full`, `no-permission`, else `internal`. */
export function writeError(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error
  switch (fsCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError('disk-full', `The disk is full, so ${path} can't be written. Free some space, then retry.`, { cause: error })
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new AppError('no-permission', `No permission to write ${path}. Allow it, then retry.`, { cause: error })
    case 'ENOTDIR':
    case 'EEXIST':
      return new AppError('project-unwritable', `${path} can't be written: a file stands where a folder is needed. Move it away.`, {
        cause: error,
      })
    default: {
      const detail = error instanceof Error ? error.message : String(error)
      return new AppError('internal', `Writing ${path} failed: ${detail}`, { cause: error })
    }
  }
}
