import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { procRow, psRow } from '../../shared/process-row.ts'

const rest = '0 -1 4194560 100 0 0 0 1 2 3 4 20 0 11 0 987654 1000 2000'

test('a process whose name has spaces and brackets is read right', () => {
  expect(procRow(42, `42 (a (b) c) S 7 40 ${rest.replace(/^0 /, '0 0 ')}`)).toEqual({
    ...{ pid: 42, parent: 7, group: 40, startTime: 987654, isZombie: false },
  })
  expect(procRow(42, `42 (x) Z 7 40 ${rest}`).isZombie).toBe(true)
})

test('a line of ps gives the start in milliseconds', () => {
  expect(psRow('  42     7    40 Ss   Mon Nov 30 16:38:04 2026')).toEqual({
    ...{ pid: 42, parent: 7, group: 40, startTime: Date.UTC(2026, 10, 30, 16, 38, 4), isZombie: false },
  })
  expect(psRow('42 7 40 Z+ Mon Nov 30 16:38:04 2026')?.isZombie).toBe(true)
  expect(psRow('')).toBeNull()
})

test.runIf(process.platform === 'linux')('our own row names our parent and a start', () => {
  const row = procRow(process.pid, readFileSync('/proc/self/stat', 'latin1'))
  expect([row.parent, row.isZombie]).toEqual([process.ppid, false])
  expect(row.startTime).toBeGreaterThan(0)
})
