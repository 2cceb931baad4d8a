/** Random workflows: a tree drawn from a seed, run as async code over the script's own hooks. */
import type { Hooks } from '../../../main/engine/sandbox/hooks.ts'

type Draw = () => number

export type Node =
  | { t: 'agent' | 'check' | 'gate' | 'sleep' | 'wait'; id: number }
  | { t: 'seq' | 'parallel' | 'all' | 'race' | 'unawaited'; nodes: Node[] }
  | { t: 'pipeline'; items: number; stages: Node[] }
  | { t: 'loop'; turns: number; node: Node }
  | { t: 'shared'; node: Node }
  | { t: 'semaphore'; at: number; nodes: Node[] }
  | { t: 'caught'; node: Node }
  | { t: 'child'; node: Node }

/** A linear congruential generator: the same seed, the same program, on every machine. */
export function seeded(seed: number): Draw {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

const LEAVES = ['agent', 'agent', 'agent', 'agent', 'agent', 'check', 'check', 'sleep', 'sleep', 'gate', 'wait'] as const

/** The script as its author saves it before a resume: a prompt here, a step there, another order. */
export function edited(tree: Node, draw: Draw): Node {
  const change = draw()
  if ('id' in tree) return change < 0.12 ? { ...tree, id: tree.id + 10 } : tree
  if ('node' in tree) return change < 0.05 ? tree.node : { ...tree, node: edited(tree.node, draw) }
  if ('stages' in tree)
    return { ...tree, items: change < 0.1 ? tree.items + 1 : tree.items, stages: tree.stages.map((one) => edited(one, draw)) }
  const nodes = tree.nodes.map((one) => edited(one, draw))
  if (change < 0.06) nodes.reverse()
  else if (change < 0.12) nodes.push({ t: 'agent', id: 6 })
  else if (change < 0.18 && nodes.length > 1) nodes.shift()
  return { ...tree, nodes }
}

/** Few different prompts, so that identical calls meet. */
export function randomTree(draw: Draw, depth = 0): Node {
  const kind = draw()
  const some = (least: number, spread: number): Node[] =>
    Array.from({ length: least + Math.floor(draw() * spread) }, () => randomTree(draw, depth + 1))
  if (depth > 3 || kind < 0.25) return { t: LEAVES[Math.floor(draw() * LEAVES.length)] ?? 'agent', id: Math.floor(draw() * 6) }
  if (kind < 0.37) return { t: 'seq', nodes: some(2, 1) }
  if (kind < 0.5) return { t: 'parallel', nodes: some(2, 3) }
  if (kind < 0.6) return { t: 'all', nodes: some(2, 3) }
  if (kind < 0.7) return { t: 'race', nodes: some(2, 1) }
  if (kind < 0.78) return { t: 'pipeline', items: 2 + Math.floor(draw() * 3), stages: some(2, 1) }
  if (kind < 0.84) return { t: 'loop', turns: 3, node: randomTree(draw, depth + 1) }
  if (kind < 0.89) return { t: 'shared', node: randomTree(draw, depth + 1) }
  if (kind < 0.92) return { t: 'semaphore', at: 1 + Math.floor(draw() * 2), nodes: some(2, 3) }
  if (kind < 0.94) return { t: 'unawaited', nodes: some(1, 2) }
  if (kind < 0.96) return { t: 'caught', node: randomTree(draw, depth + 1) }
  return { t: 'child', node: randomTree(draw, depth + 1) }
}

interface Globals {
  agent(prompt: string): Promise<string | null>
  check(command: string[]): Promise<string | null>
  parallel(thunks: (() => unknown)[]): Promise<unknown[]>
  pipeline(items: unknown[], ...stages: ((previous: unknown) => unknown)[]): Promise<unknown[]>
  workflow(name: string): Promise<string>
  gate(question: string, options: object): Promise<{ choice: string } | null>
  sleep(ms: number): Promise<null>
  wait(probe: () => Promise<string>, options: object): Promise<string>
}

type Body = (globals: Hooks['globals']) => Promise<string>

/** The workflow that a tree stands for, and those that it calls. */
export function programsOf(tree: Node): { main: Body; child(name: string): Body } {
  const nodes: Node[] = []
  const main = programOf(tree, '', nodes)
  // The name holds which node it is and what was seen before, so that it alone tells what is asked for.
  const child = (name: string): Body => {
    const [place = '', after = ''] = name.split('|')
    const node = nodes[Number(place)]
    if (node === undefined) throw new Error(`no child ${name}`)
    return programOf(node, after, nodes)
  }
  return { main, child }
}

/** The body of one workflow; its value tells in which order it saw what. */
function programOf(tree: Node, before: string, children: Node[]): Body {
  return async (globals) => {
    const { agent, check, parallel, pipeline, workflow, gate, sleep, wait } = globals as unknown as Globals
    const seen: (string | null)[] = []

    async function run(node: Node, after: string): Promise<string> {
      switch (node.t) {
        case 'agent':
        case 'check': {
          const asked = `p${node.id}|${after.slice(-12)}`
          const answer = await (node.t === 'agent' ? agent(asked) : check([asked]))
          seen.push(answer)
          return String(answer)
        }
        case 'gate': {
          const decision = await gate(`g${node.id}|${after.slice(-12)}`, { options: ['a', 'b', 'c'] })
          seen.push(decision?.choice ?? null)
          return String(decision?.choice)
        }
        case 'sleep':
          await sleep(10 + node.id)
          seen.push('slept')
          return `${after}z`
        case 'wait': {
          let looks = 0
          const probe = async (): Promise<string> => {
            const answer = await agent(`w${node.id}|${after.slice(-12)}|${looks}`)
            looks += 1
            return looks > 2 || String(answer).charCodeAt(3) % 2 === 0 ? 'green' : 'wait'
          }
          return `${await wait(probe, { intervalsMs: [20, 30], timeoutMs: 1e9 })}${looks}`
        }
        case 'seq': {
          let last = after
          for (const one of node.nodes) last = await run(one, last)
          return last
        }
        case 'parallel':
          return (await parallel(node.nodes.map((one) => () => run(one, after)))).join(',')
        case 'all':
          return (await Promise.all(node.nodes.map((one) => run(one, after)))).join(';')
        case 'race':
          return Promise.race(node.nodes.map((one) => run(one, after)))
        case 'unawaited':
          for (const one of node.nodes) void run(one, after)
          return run({ t: 'agent', id: 0 }, after)
        case 'pipeline': {
          const items = Array.from({ length: node.items }, (_, i) => `i${i}`)
          return (await pipeline(items, ...node.stages.map((stage) => (previous: unknown) => run(stage, String(previous))))).join('/')
        }
        case 'loop': {
          let last = ''
          for (let turn = 0; turn < node.turns; turn += 1) {
            last = await run(node.node, `L${turn}${last}`)
            if (last.charCodeAt(last.length - 1) % 3 === 0) break
          }
          return last
        }
        case 'shared':
          return `${await run(node.node, `S${seen.length}${String(seen.at(-1))}`)}${seen.length}`
        case 'semaphore':
          return (
            await limited(
              node.at,
              node.nodes.map((one) => () => run(one, `Q${seen.length}`)),
            )
          ).join('+')
        case 'caught':
          return run(node.node, after).catch((error: unknown) => String(error))
        case 'child': {
          if (!children.includes(node.node)) children.push(node.node)
          const name = `${children.indexOf(node.node)}|${after.slice(-12).replaceAll('|', '')}`
          // A child that calls a child is refused, the same way every time.
          return workflow(name).catch((error: unknown) => String(error))
        }
      }
    }

    return `${await run(tree, before)}#${seen.length}#${seen.join('~')}`
  }
}

/** A worker pool as people write one by hand. */
async function limited(workers: number, thunks: (() => Promise<string>)[]): Promise<string[]> {
  const results: string[] = []
  const todo = thunks.entries()
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (const [i, thunk] of todo) results[i] = await thunk()
    }),
  )
  return results
}
