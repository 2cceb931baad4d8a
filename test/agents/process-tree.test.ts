import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { endFamily, familyOf, isAlive, type ProcessId, startTimeOf } from '../../main/agents/process-tree.ts'
import { until } from './process-fixture.ts'

const started: ProcessId[] = []

function start(script: string): ProcessId {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' })
  if (child.pid === undefined) throw new Error('sh did not start')
  const process = { pid: child.pid, startTime: startTimeOf(child.pid) }
  started.push(process)
  return process
}

afterEach(() => endFamily(started.splice(0), 0))

test('a process is known by pid and start time: a reused pid is another process', () => {
  const process = start('sleep 60')
  expect(isAlive(process)).toBe(true)
  expect(isAlive({ ...process, startTime: process.startTime + 1 })).toBe(false)
  expect(familyOf([{ ...process, startTime: process.startTime + 1 }])).toEqual([])
})

test('a reused pid is not ended', async () => {
  const process = start('sleep 60')
  await endFamily([{ ...process, startTime: process.startTime - 1 }], 0)
  expect(isAlive(process)).toBe(true)
})

test('a process that ended is not alive, also while nobody has fetched its exit', async () => {
  const child = spawn('/bin/sh', ['-c', 'exit 0'], { stdio: 'ignore' })
  const process = { pid: child.pid ?? 0, startTime: startTimeOf(child.pid ?? 0) }
  expect(process.startTime).toBeGreaterThan(0)
  await once(child, 'exit')
  expect(isAlive(process)).toBe(false)
  expect(startTimeOf(process.pid)).toBe(0)
})

test('a family is everything below a process, whatever its group', async () => {
  const process = start('setsid sh -c "sleep 60; true" & sleep 61 & wait')
  await until(() => familyOf([process]).length === 4, 'sh, its two children and the grandchild')
  await endFamily([process], 1000)
  expect(familyOf([process])).toEqual([])
})

test('members of a group are still found when its leader has ended', async () => {
  const process = start('sleep 60 & exit 0')
  await until(() => !isAlive(process), 'the leader has ended')
  expect(familyOf([process])).toHaveLength(1)
})
