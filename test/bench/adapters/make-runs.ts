/** Fills a project with finished runs, as many as asked, in the form that the store leaves them in. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { encodeRow } from '../../../main/store/index-store.ts'
import { filesOf } from '../../../main/store/paths.ts'
import { encodeRunInfo } from '../../../main/store/run-info.ts'
import { RequestId, RunId } from '../../../shared/ids.ts'
import type { RunSummary } from '../../../shared/run/view.ts'

const [, , project = '', count = '0'] = process.argv
const runs = join(project, '.claude', 'workflow-runs')
const counts = { ok: 20, dead: 0, skipped: 0, abandoned: 0, replayed: 8, live: 12 }
let index = ''
for (let i = 0; i < Number(count); i++) {
  const runId = RunId.parse(`run-${String(i).padStart(6, '0')}`)
  const at = 1_700_000_000_000 + i * 60_000
  const path = join(project, '.claude/workflows/review.ts')
  const summary: RunSummary = {
    ...{ runId, number: i + 1, title: 'review the changes of the day', path, status: 'completed', reason: null },
    ...{ sentence: '8 replayed, 12 live', attempt: 1, counts, queued: 0, outputTokens: 12_345, cost: 0.42, startedAt: at },
    ...{ updatedAt: at + 30_000, endedAt: at + 30_000, backend: 'simulated', currentPhase: null, damaged: null },
    strip: ['Look', 'Find', 'Verify'].map((title) => ({ title, state: 'done' as const })),
  }
  index += encodeRow({ summary, owner: null })
  const files = filesOf(join(runs, runId))
  mkdirSync(dirname(files.info), { recursive: true })
  writeFileSync(files.journal, '')
  writeFileSync(
    files.info,
    encodeRunInfo({
      ...{
        runId,
        number: i + 1,
        requestId: RequestId.parse(`request-${i}`),
        createdAt: at,
        title: summary.title,
        project,
        workspace: 'current',
      },
      ...{
        git: null,
        limits: { concurrency: 4, maxAgents: 1000, budget: null, maxCost: null, stallMs: null },
        seed: 's',
        engine: 'bench',
        backend: 'simulated',
        policy: 'content',
      },
      source: { kind: 'file', path, name: null, sha256: '0'.repeat(64), ext: 'ts' },
    }),
  )
}
writeFileSync(join(runs, 'index.jsonl'), index)
