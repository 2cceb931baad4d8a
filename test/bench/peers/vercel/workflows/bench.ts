/** The job as Vercel's `workflow` has it: `workflow build --target standalone` makes of it what the adapter serves. */
export async function durable(index: number): Promise<unknown> {
  'use step'
  return (globalThis as unknown as { benchStep(index: number): unknown }).benchStep(index)
}

export async function bench(n: number, lanes: number): Promise<number> {
  'use workflow'
  for (let from = 0; from < n; from += lanes) {
    if (lanes === 1) await durable(from)
    else await Promise.all(Array.from({ length: Math.min(lanes, n - from) }, (_, place) => durable(from + place)))
  }
  return n
}
