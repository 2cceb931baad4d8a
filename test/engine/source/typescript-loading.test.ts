import { expect, test, vi } from 'vitest'
import { checkScript } from '../../../main/engine/source/check-script.ts'

const loads = vi.hoisted(() => ({ count: 0 }))
vi.mock('../../../main/engine/source/typescript.ts', async (original) => {
  loads.count++
  return await original()
})

test('the TypeScript compiler is loaded for a TypeScript file only', async () => {
  await checkScript('return 1', 'script.js')
  await checkScript('return 1', 'script.mjs')
  expect(loads.count).toBe(0)
  expect((await checkScript('return 1 as number', 'script.ts')).diagnostics).toEqual([])
  expect(loads.count).toBe(1)
  expect('__filename' in globalThis).toBe(false)
})
