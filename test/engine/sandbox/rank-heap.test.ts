import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RankHeap } from '../../../main/engine/sandbox/rank-heap.ts'

test('whatever is pushed and popped in between, the lowest rank comes first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 3, arbitrary: fc.integer() }, { weight: 1, arbitrary: fc.constant('pop' as const) }), { maxLength: 200 }),
      (moves) => {
        const heap = new RankHeap<{ rank: number }>()
        const model: number[] = []
        for (const move of moves) {
          if (move === 'pop') expect(heap.pop()?.rank).toBe(model.sort((a, b) => a - b).shift())
          else {
            heap.push({ rank: move })
            model.push(move)
          }
          expect(heap.size).toBe(model.length)
        }
        const half = model.sort((a, b) => a - b).splice(0, model.length >> 1)
        expect(half.map(() => heap.pop()?.rank)).toEqual(half)
        expect(heap.drain().map(({ rank }) => rank)).toEqual(model)
        expect([heap.size, heap.pop()]).toEqual([0, undefined])
      },
    ),
  )
})
