import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fingerprint, sha256 } from '../../main/engine/fingerprint.ts'
import type { RunView } from '../../shared/run/view.ts'
import { ChanceExecutor, type QueueExecutor, type Recorded, RecordedExecutor } from './support/chance-executor.ts'
import { decidesGates } from './support/chance-person.ts'
import { startAttempt } from './support/memory-attempt.ts'
import { MemoryJournal } from './support/memory-run.ts'
import { edited, type Node, programsOf, randomTree, seeded } from './support/random-program.ts'

/** `REPRISE_SEEDS=5000 npx vitest run test/engine/resume.property.test.ts` for a long run. */
const SEEDS = Number(process.env['REPRISE_SEEDS'] ?? 200)

/** `edition` counts the edits of the script. */
type Programs = ReturnType<typeof programsOf> & { edition: number }

/** One attempt, to its end or to its death. */
async function attempt(
  programs: Programs,
  journal: MemoryJournal,
  executor: QueueExecutor,
  killAfter: number,
): Promise<RunView | 'killed'> {
  const edition = sha256(`edition ${programs.edition}`)
  const { done, killed, events } = startAttempt(journal, programs.main, {
    executor,
    clock: executor.clock,
    attempt: { script: edition },
    input: { script: { sha256: edition, text: '', ext: 'js' } },
    killAfter,
    children: programs.child,
    loadChild: async (reference) => {
      const name = 'name' in reference ? reference.name : reference.scriptPath
      await executor.turnOf(fingerprint('open-child', { name }))
      return { prepared: { code: name, edits: [], file: 'child.js' }, sha256: sha256(name), text: name, ext: 'js' }
    },
    onEvent: decidesGates(executor, journal),
  })
  const view = await Promise.race([done, killed.then(() => 'killed' as const)])
  // These programs are deterministic, edited or not: nothing may be said to be otherwise.
  expect(events.filter((event) => event.type === 'log' && event.text.includes('the script is unchanged'))).toEqual([])
  return view
}

function valueOf(view: RunView | 'killed'): unknown {
  if (view === 'killed') throw new Error('the attempt was killed')
  if (view.status !== 'completed') throw new Error(`ended as ${view.status} ${view.reason ?? ''} ${view.error?.message ?? ''}`)
  return view.value !== null && 'inline' in view.value ? view.value.inline : null
}

/** What the journal says of each call in the end: its last result, in the order of last results. */
function lastResults(journal: MemoryJournal): Recorded[] {
  const calls = journal.records.flatMap((record) => (record.t === 'call' ? [record] : []))
  return calls.map(({ call, fp }) => {
    const last = journal.records.findLast((record) => record.t === 'result' && record.call === call)
    if (last?.t !== 'result' || last.result.kind === 'abandoned')
      return { fp: fp.slice(0, 8), rank: Number.POSITIVE_INFINITY, output: null }
    const output = last.result.kind === 'ok' && 'inline' in last.result.output ? last.result.output.inline : null
    return { fp: fp.slice(0, 8), rank: last.n, output }
  })
}

test('after any chain of kills and edits, resume starts exactly the calls without a result, and the value is that of a run never killed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 30 }), async (seed) => {
      let tree: Node = { t: 'seq', nodes: [1, 2, 3].map((part) => randomTree(seeded(seed * 7919 + part))) }
      let program: Programs = { ...programsOf(tree), edition: 0 }
      const draw = seeded(seed)
      const journal = new MemoryJournal()
      for (let kills = 0; kills < 4; kills += 1) {
        if (kills > 0 && draw() < 0.3) {
          tree = edited(tree, draw)
          program = { ...programsOf(tree), edition: kills }
        }
        const finished = journal.finished()
        const executor = new ChanceExecutor(draw, 0.1)
        const view = await attempt(program, journal, executor, Math.floor(draw() * 8))
        expect(executor.started.filter((call) => finished.has(call))).toEqual([])
        if (view !== 'killed' && view.reason !== 'same-failure') break
      }
      const finished = journal.finished()
      const healthy = new ChanceExecutor(draw, 0)
      const value = valueOf(await attempt(program, journal, healthy, Number.POSITIVE_INFINITY))
      expect(healthy.started.filter((call) => finished.has(call))).toEqual([])

      const replay = new ChanceExecutor(draw, 0)
      const replayed = await attempt(program, journal, replay, Number.POSITIVE_INFINITY)
      expect(replay.started).toEqual([])
      expect(valueOf(replayed)).toBe(value)

      const reference = new MemoryJournal()
      expect(valueOf(await attempt(program, reference, new RecordedExecutor(lastResults(journal)), Number.POSITIVE_INFINITY))).toBe(value)
    }),
    { numRuns: SEEDS, endOnFailure: true },
  )
}, 600_000)
