/** Replaces or creates whole files: a reader sees the old text or the new one, never half of one. */
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readdirSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Disk } from './disk.ts'
import { fsCode, nodeDisk, writeAll } from './disk.ts'

const TEMP = /^\..+\.(\d+)\.[0-9a-f]{8}\.tmp$/

/** A name in the same folder that no other process uses; it carries our pid, so that `sweepTemps` knows whose it was. */
function tempFor(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`)
}

/** Writes a new file and syncs it; fails when the name exists. */
export function writeSynced(path: string, text: string | Uint8Array, disk: Disk = nodeDisk): void {
  const fd = openSync(path, 'wx')
  try {
    writeAll(disk, fd, typeof text === 'string' ? Buffer.from(text) : text)
    disk.sync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Several new files at once: all are written before the first is synced, so that the system brings them to the disk together. */
export function writeAllSynced(files: readonly (readonly [path: string, text: string])[], disk: Disk): void {
  const fds: number[] = []
  try {
    for (const [path, text] of files) {
      const fd = openSync(path, 'wx')
      fds.push(fd)
      if (text !== '') writeAll(disk, fd, Buffer.from(text))
    }
    for (const fd of fds) disk.sync(fd)
  } finally {
    for (const fd of fds) closeSync(fd)
  }
}

/** Replaces `path` with `text`, durably. */
export function replaceFile(path: string, text: string | Uint8Array, disk: Disk = nodeDisk): void {
  const temp = tempFor(path)
  try {
    writeSynced(temp, text, disk)
    disk.rename(temp, path)
  } catch (error) {
    removeQuietly(temp)
    throw error
  }
  disk.syncFolder(dirname(path))
}

/** The same off the calling thread's time, for caches: the file is synced, its name need not be. */
export async function replaceFileLater(path: string, text: string, disk: Disk): Promise<void> {
  const temp = tempFor(path)
  try {
    await disk.replaceLater(temp, path, text)
  } catch (error) {
    removeQuietly(temp)
    throw error
  }
}

/** Makes `path` with all of `text` if there is none; false when the name is taken. Exactly one of many callers gets true. */
export function createFile(path: string, text: string, disk: Disk = nodeDisk): boolean {
  const temp = tempFor(path)
  try {
    writeSynced(temp, text, disk)
    disk.link(temp, path)
  } catch (error) {
    if (fsCode(error) === 'EEXIST') return false
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(fsCode(error) ?? '')) throw error
    return createWithoutLinks(path, text, disk)
  } finally {
    removeQuietly(temp)
  }
  disk.syncFolder(dirname(path))
  return true
}

/** For file systems without hard links (exFAT): exclusive too, but a crash may leave the file empty. */
function createWithoutLinks(path: string, text: string, disk: Disk): boolean {
  try {
    writeSynced(path, text, disk)
  } catch (error) {
    if (fsCode(error) === 'EEXIST') return false
    throw error
  }
  disk.syncFolder(dirname(path))
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
