import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FaultyDisk } from '../../main/crash/faulty-disk.ts'
import { LossyDisk } from '../../main/crash/lossy-disk.ts'
import { nodeDisk, writeAll } from '../../main/store/disk.ts'
import { tempFolder } from '../store/run-fixtures.ts'

function file(): { path: string; fd: number; text(): string } {
  const path = join(tempFolder(), 'file')
  return { path, fd: openSync(path, 'a+'), text: () => readFileSync(path, 'utf8') }
}

test('what is not synced never reaches the file', () => {
  const { fd, text } = file()
  const disk = new LossyDisk(nodeDisk)
  writeAll(disk, fd, Buffer.from('one\n'))
  expect(text()).toBe('')
  disk.sync(fd)
  writeAll(disk, fd, Buffer.from('two\n'))
  expect(text()).toBe('one\n')
  closeSync(fd)
})

test('a power cut lets a first part of the unsynced bytes through', () => {
  const { fd, text } = file()
  const disk = new LossyDisk(nodeDisk)
  writeAll(disk, fd, Buffer.from('0123456789'))
  disk.spill(0.5)
  expect(text()).toBe('01234')
  closeSync(fd)
})

test('unsynced bytes of a closed file go into no other file', () => {
  const first = file()
  const second = file()
  const disk = new LossyDisk(nodeDisk)
  writeAll(disk, first.fd, Buffer.from('first'))
  closeSync(first.fd)
  const reused = openSync(second.path, 'a+')
  disk.sync(reused)
  disk.spill(1)
  expect(second.text()).toBe('')
  closeSync(reused)
  closeSync(second.fd)
})

test('a name whose folder is not synced is taken back by a power cut, and what it replaced is there again', () => {
  const folder = tempFolder()
  const at = (name: string): string => join(folder, name)
  const disk = new LossyDisk(nodeDisk)
  writeFileSync(at('kept'), 'old')
  writeFileSync(at('first'), 'new')
  disk.rename(at('first'), at('kept'))
  disk.syncFolder(folder)
  writeFileSync(at('second'), 'newer')
  disk.rename(at('second'), at('kept'))
  writeFileSync(at('third'), 'newest')
  disk.rename(at('third'), at('kept'))
  disk.link(at('kept'), at('linked'))
  expect(readFileSync(at('kept'), 'utf8')).toBe('newest')
  disk.spill(0)
  expect(readFileSync(at('kept'), 'utf8')).toBe('new')
  expect(existsSync(at('linked'))).toBe(false)
})

test('a folder and a later replacement are operations too, at which a process dies or is refused', async () => {
  const folder = tempFolder()
  const died = new FaultyDisk(nodeDisk, { kind: 'die', at: 2, moment: 'before' }, () => {
    throw new Error('dead')
  })
  died.makeFolder(join(folder, 'a'))
  expect(() => died.rename(join(folder, 'a'), join(folder, 'b'))).toThrow('dead')
  expect(readdirSync(folder)).toEqual(['a'])
  const full = new FaultyDisk(nodeDisk, { kind: 'refuse', from: 1, count: 1, code: 'ENOSPC' }, () => undefined)
  await expect(full.replaceLater(join(folder, 'temp'), join(folder, 'c'), 'text')).rejects.toThrow('ENOSPC')
  expect(readFileSync(join(folder, 'temp'), 'utf8')).toBe('te')
  await full.replaceLater(join(folder, 'temp2'), join(folder, 'c'), 'text')
  expect(readFileSync(join(folder, 'c'), 'utf8')).toBe('text')
})

test.each([
  ['before', ''],
  ['half', 'ab'],
  ['after', 'abcd'],
] as const)('a process that dies %s its second write leaves %j', (moment, left) => {
  const { fd, text } = file()
  const disk = new FaultyDisk(nodeDisk, { kind: 'die', at: 2, moment }, () => {
    throw new Error('dead')
  })
  disk.sync(fd)
  expect(() => disk.write(fd, Buffer.from('abcd'), 0)).toThrow('dead')
  expect(text()).toBe(left)
  closeSync(fd)
})

test('a full disk takes half a write, then works again', () => {
  const { fd, text } = file()
  const disk = new FaultyDisk(nodeDisk, { kind: 'refuse', from: 1, count: 1, code: 'ENOSPC' }, () => undefined)
  expect(() => writeAll(disk, fd, Buffer.from('abcd'))).toThrow('ENOSPC')
  writeAll(disk, fd, Buffer.from('efgh'))
  expect(text()).toBe('abefgh')
  expect(disk.operations).toBe(2)
  closeSync(fd)
})
