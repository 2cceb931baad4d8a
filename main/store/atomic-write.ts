/**
 * Replaces or creates whole files: a reader sees the old text or the new one, never half of one. Renames are tried again
 * while a virus scanner or an open reader holds the file (Windows).
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readdirSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fsCode } from './disk.ts'

const TEMP = /^\..+\.(\d+)\.[0-9a-f]{8}\.tmp$/
const RENAME_TRIES = 8
const BUSY = new Set(['EPERM', 'EBUSY', 'EACCES'])

/** A name in the same folder that no other process uses; it carries our pid, so that `sweepTemps` knows whose it was. */
function tempFor(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`)
}

/** Makes a rename or a new name in `folder` durable. Where folders can't be synced (Windows) the rename itself is. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Writes a new file and syncs it; fails when the name exists. */
export function writeSynced(path: string, text: string | Uint8Array): void {
  const fd = openSync(path, 'wx')
  try {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    let offset = 0
    while (offset < bytes.length) offset += writeSync(fd, bytes, offset)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function renameStubbornly(from: string, to: string): void {
  for (let tries = 1; ; tries++) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      if (process.platform !== 'win32' || tries === RENAME_TRIES || !BUSY.has(fsCode(error) ?? '')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 * tries)
    }
  }
}

/** Replaces `path` with `text`, durably. */
export function replaceFile(path: string, text: string | Uint8Array): void {
  const temp = tempFor(path)
  try {
    writeSynced(temp, text)
    renameStubbornly(temp, path)
  } catch (error) {
    removeQuietly(temp)
    throw error
  }
  syncFolder(dirname(path))
}

/** The same off the calling thread's time, for caches: the file is synced, its name need not be. */
export async function replaceFileAsync(path: string, text: string): Promise<void> {
  const temp = tempFor(path)
  try {
    const file = await open(temp, 'wx')
    try {
      await file.writeFile(text)
      await file.datasync()
    } finally {
      await file.close()
    }
    for (let tries = 1; ; tries++) {
      try {
        await rename(temp, path)
        return
      } catch (error) {
        if (process.platform !== 'win32' || tries === RENAME_TRIES || !BUSY.has(fsCode(error) ?? '')) throw error
        await pause(10 * tries)
      }
    }
  } catch (error) {
    await unlink(temp).catch(() => undefined)
    throw error
  }
}

/** Makes `path` with all of `text` if there is none; false when the name is taken. Exactly one of many callers gets true. */
export function createFile(path: string, text: string): boolean {
  const temp = tempFor(path)
  try {
    writeSynced(temp, text)
    linkSync(temp, path)
  } catch (error) {
    if (fsCode(error) === 'EEXIST') return false
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(fsCode(error) ?? '')) throw error
    return createWithoutLinks(path, text)
  } finally {
    removeQuietly(temp)
  }
  syncFolder(dirname(path))
  return true
}

/** For file systems without hard links (exFAT): exclusive too, but a crash may leave the file empty. */
function createWithoutLinks(path: string, text: string): boolean {
  try {
    writeSynced(path, text)
  } catch (error) {
    if (fsCode(error) === 'EEXIST') return false
    throw error
  }
  syncFolder(dirname(path))
  return true
}

export function removeQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // It was not there, or can't be removed: it is only litter then.
  }
}

/** Temporary files that processes which are gone left in `folder`. */
export function staleTemps(folder: string, isAlive: (pid: number) => boolean): string[] {
  return readdirSync(folder).flatMap((name) => {
    const pid = TEMP.exec(name)?.[1]
    return pid !== undefined && !isAlive(Number(pid)) ? [join(folder, name)] : []
  })
}

export function sweepTemps(folder: string, isAlive: (pid: number) => boolean): void {
  for (const path of staleTemps(folder, isAlive)) removeQuietly(path)
}
