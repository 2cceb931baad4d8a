/** Random workflows in real processes that are killed as by a power cut: resume starts what has no result, and nothing else. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JournalRecord } from '../../shared/run/record.ts'
import { type Node, randomTree, seeded } from '../engine/support/random-program.ts'
import { TestProject } from '../support/reprise.ts'

/** `REPRISE_SEEDS=100 npx vitest run test/cli/random-kills.test.ts` for a long run. */
const SEEDS = Math.min(Number(process.env['REPRISE_SEEDS'] ?? 3), 200)

/** Runs the tree in `args`; its value tells in which order it saw what. Gates need a person, so an agent stands for them. */
const WORKFLOW = `const seen = []
const said = async (call) => { const text = await call; seen.push(text); return String(text) }
const last = (text) => text.slice(-12)
async function run(node, after) {
  switch (node.t) {
    case 'agent': case 'gate': return said(agent('p' + node.id + '|' + last(after) + '[[delay:' + (node.id * 13) % 40 + ']][[text:r' + node.id + last(after).length + ']]'))
    case 'check': { const done = await check(['true', last(after)]); seen.push('c' + done?.exitCode); return 'c' + after.length }
    case 'sleep': await sleep(node.id * 3); seen.push('z'); return after + 'z'
    case 'wait': { let n = 0; const end = await wait(async () => { await said(agent('w' + n + last(after))); n += 1; return n > 1 ? 'green' : 'wait' }, { intervalsMs: 5, timeoutMs: 1e7 }); return end + n }
    case 'seq': { let text = after; for (const one of node.nodes) text = await run(one, text); return text }
    case 'parallel': return (await parallel(node.nodes.map((one) => () => run(one, after)))).join(',')
    case 'all': return (await Promise.all(node.nodes.map((one) => run(one, after)))).join(';')
    case 'race': return Promise.race(node.nodes.map((one) => run(one, after)))
    case 'unawaited': for (const one of node.nodes) void run(one, after); return said(agent('u' + last(after)))
    case 'pipeline': return (await pipeline(Array.from({ length: node.items }, (_, i) => 'i' + i), ...node.stages.map((stage) => (text) => run(stage, String(text))))).join('/')
    case 'loop': { let text = ''; for (let turn = 0; turn < node.turns; turn += 1) text = await run(node.node, 'L' + turn + text); return text }
    case 'shared': return (await run(node.node, 'S' + seen.length + String(seen.at(-1)))) + seen.length
    case 'semaphore': {
      const results = [], todo = node.nodes.entries()
      await Promise.all(Array.from({ length: node.at }, async () => { for (const [i, one] of todo) results[i] = await run(one, 'Q' + seen.length) }))
      return results.join('+')
    }
    case 'caught': return run(node.node, after).catch(String)
    case 'child': return workflow({ scriptPath: 'workflow.js' }, { tree: node.node, after: last(after) }).catch(String)
  }
}
const value = await run(args.tree, args.after ?? '')
return value + '#' + seen.length + '#' + seen.join('~')
`

let project: TestProject
beforeEach(() => {
  project = new TestProject()
})
afterEach(() => project.remove())

function records(runId: string): JournalRecord[] {
  const lines = readFileSync(project.journal(runId), 'utf8').split('\n')
  // The last line may have been cut off by the kill.
  return lines.flatMap((line): JournalRecord[] => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
}

/** Calls that were started although a result of theirs was saved, in whatever attempt. */
function startedAgain(runId: string): number[] {
  const finished = new Set<number>()
  const again: number[] = []
  for (const record of records(runId)) {
    if (record.t === 'started' && finished.has(record.call)) again.push(record.call)
    if (record.t === 'result' && (record.result.kind === 'ok' || record.result.kind === 'skipped')) finished.add(record.call)
  }
  return again
}

function starts(runId: string): number {
  return records(runId).filter(({ t }) => t === 'started').length
}

test.each(Array.from({ length: SEEDS }, (_, i) => i + 1))('seed %i, killed up to three times', { timeout: 120_000 }, async (seed) => {
  const draw = seeded(seed * 104_729)
  const tree: Node = { t: 'seq', nodes: [1, 2, 3].map((part) => randomTree(seeded(seed * 7919 + part))) }
  const script = project.write('workflow.js', WORKFLOW)
  project.write('args.json', JSON.stringify({ tree }))
  const options = ['--agent', 'simulated', '--yes', '--json']
  let going = project.start(['run', script, '--args-file', 'args.json', '--concurrency', '4', ...options])
  let results = 0
  for (let kills = 0; kills < 3; kills += 1) {
    results += 1 + Math.floor(draw() * 6)
    const { signal } = await project.killAt(going, results)
    if (signal === null) break
    going = project.start(['resume', 'last', ...options])
  }
  await going.ended
  const runId = project.runIds[0] ?? ''
  const whole = await project.json('resume', runId)
  expect(whole.status).toBe('completed')
  expect(startedAgain(runId)).toEqual([])

  const before = starts(runId)
  const again = await project.json('resume', runId)
  expect([again.status, again.returnValue]).toEqual(['completed', whole.returnValue])
  expect(starts(runId)).toBe(before)
})
