import { describe, expect, test } from 'vitest'
import type { FromScript } from '../../main/engine/sandbox/protocol.ts'
import { type ScriptThread, scriptThreads } from '../../main/engine/script-thread.ts'
import type { ErrorData } from '../../shared/errors.ts'
import { ENTRY, initOf, prepared, runScript, valueOf } from './support/run-script.ts'

const startImpatient = scriptThreads(ENTRY, { memoryMb: 128, keptMb: 256, unresponsiveMs: 1500, lookMs: 20 })
const startFrugal = scriptThreads(ENTRY, { memoryMb: 128, keptMb: 256, unresponsiveMs: 60_000, lookMs: 20 })

/** Runs to the death of the thread; its first call is answered. */
async function deathOf(source: string, start: typeof startFrugal): Promise<ErrorData> {
  const script = await prepared(source)
  return new Promise((resolve) => {
    const thread: ScriptThread = start(initOf(script), {
      batch: (batch) => {
        for (const message of batch) if (message.t === 'call') thread.post(answerOf(message.call))
      },
      died: resolve,
    })
  })
}

function answerOf(call: number): { t: 'result'; call: number; output: string; outputTokens: number; at: number } {
  return { t: 'result', call, output: 'x', outputTokens: 1, at: 1 }
}

describe('a script that uses too much memory ends alone, its process goes on (R16)', () => {
  test.each([
    ['an endless list', 'const all = []; for (;;) all.push(1)'],
    ['an endless list of objects', 'const all = []; for (;;) all.push({})'],
    [
      'a text that doubles',
      "let s = 'x'; const all = []; for (;;) { s = s + s + all.length; all.push(s); if (s.length > 1e8) s = 'y'; s.charCodeAt(5) }",
    ],
    ['a map', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })'],
    ['an iterator without end', 'const all = [...Array(1e9).keys()]'],
    ['filled buffers', 'const all = []; for (let i = 0; i < 60; i++) all.push(new Uint8Array(50e6).fill(1)); while (true) {}'],
  ])('%s', async (_, code) => {
    const error = await deathOf(`await agent('x')\n${code}`, startFrugal)
    expect(error.code).toBe('script-out-of-memory')
    expect(error.message).toContain('128 MB')
    expect(await valueOf('return 1')).toBe(1)
  })

  test.each([
    ['values', 'Array(1e6).fill(all.length + 0.5)'],
    ['texts', "JSON.stringify('x'.repeat(1e6)) + all.length"],
    ['buffers', 'new Uint8Array(1e7).fill(1)'],
  ])('%s that are kept from turn to turn', async (_, code) => {
    const error = await deathOf(`const all = []\nfor (;;) { await agent('x'); all.push(${code}) }`, startFrugal)
    expect([error.code, error.message]).toEqual(['script-out-of-memory', expect.stringContaining('256 MB')])
  })

  test.each([
    ['Array(1e9).fill(0)'],
    ["new Array(1e8).fill('x').map((x, i) => x + i)"],
    ["'x'.repeat(5e8).split('')"],
    ["'x'.repeat(2e8).replaceAll('x', 'yy')"],
    ['Array(2 ** 26).toSorted()'],
    ['Array(2 ** 28).toReversed().with(0, 1)'],
    ['const a = []; a.length = 2 ** 32 - 1; a.indexOf(1)'],
    ['Array.prototype.reverse.call({ length: 2 ** 40 })'],
  ])('%s is refused at its line, before anything is filled', async (code) => {
    const { error } = await runScript(`await agent('x')\n${code}`)
    expect(error).toMatchObject({ code: 'script-out-of-memory', line: 2 })
  })

  test('methods of arrays and texts are otherwise as they were', async () => {
    const value =
      await valueOf(`return [[1, 2, 3].fill(0, 1, 2), Array(3).fill('a'), 'a,b,c'.split(',', 2), 'a1b'.split(/\\d/), 'ab'.split(''), 'ab'.split(),
  Array.prototype.fill.call({ length: 1 }, 2), [].fill.name, [].fill.length, ''.split.length, 'aXbX'.replaceAll('X', '$&-'), 'aXb'.replaceAll(/x/gi, () => 1), ''.replaceAll.length,
  [3, 1].toSorted().concat([2], 9).map((n, i) => n * i), [].map.call('ab', (c) => c + 1), Reflect.has([].map, 'prototype'), [1, , 3].flatMap((n) => [n, n])]`)
    expect(value).toEqual([
      [1, 0, 3],
      ['a', 'a', 'a'],
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
      ['ab'],
      { 0: 2, length: 1 },
      'fill',
      1,
      2,
      'aX-bX-',
      'a1b',
      2,
      [0, 3, 4, 27],
      ['a1', 'b1'],
      false,
      [1, 1, 3, 3],
    ])
  })
})

describe('a script that spins', () => {
  test('is seen, and ends with a named error', async () => {
    const error = await deathOf("await agent('x')\nwhile (true) {}", startImpatient)
    expect(error.code).toBe('script-unresponsive')
  })

  test('ends when it is told to, and says nothing more', async () => {
    const script = await prepared("log('turning')\nawait agent('x')\nlog('spinning')\nwhile (true) {}")
    const told: FromScript[] = []
    let died = false
    let isAsked: () => void = () => undefined
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const thread = startFrugal(initOf(script), {
      batch: (batch) => {
        told.push(...batch)
        if (batch.some(({ t }) => t === 'idle')) isAsked()
      },
      died: () => {
        died = true
      },
    })
    await asked
    thread.post(answerOf(1))
    await thread.terminate()
    expect(told.map(({ t }) => t)).toEqual(['log', 'call', 'idle'])
    expect(died).toBe(false)
  })
})
