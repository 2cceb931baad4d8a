/** The few disk operations whose failure decides what counts as saved, as a seam, and the words for those failures. */
import { constants, fdatasyncSync, writeSync } from 'node:fs'
import { AppError } from '../../shared/errors.ts'

export interface Disk {
  /** Writes some bytes from `offset` on; returns how many, which may be fewer than asked when the disk is nearly full. */
  write(fd: number, bytes: Uint8Array, offset: number): number
  /** Returns when everything written to `fd` is on the disk. */
  sync(fd: number): void
}

export const nodeDisk: Disk = {
  write: (fd, bytes, offset) => writeSync(fd, bytes, offset),
  sync: fdatasyncSync,
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
