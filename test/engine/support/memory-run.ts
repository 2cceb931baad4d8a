/** A run that lives in memory: the same promises as the store's, and a kill that loses what a dead process loses. */

import { sha256 } from '../../../main/engine/fingerprint.ts'
import type { OpenRun, RunInfo } from '../../../main/engine/ports.ts'
import type { RunId } from '../../../shared/ids.ts'
import type { Json } from '../../../shared/json.ts'
import type { JournalRecord, NewRecord, Value } from '../../../shared/run/record.ts'

export const INFO: RunInfo = {
  runId: 'RUN' as RunId, // a literal that the id's own schema accepts
  number: 1,
  requestId: 'request',
  createdAt: 0,
  title: 'random',
  source: { kind: 'file', path: '/project/random.js', name: null, sha256: 'a'.repeat(64), ext: 'js' },
  project: '/project',
  workspace: 'current',
  git: null,
  limits: { concurrency: 64, maxAgents: 1000, budget: null, maxCost: null, stallMs: null },
  seed: 'seed',
  engine: '0.1.0',
  backend: 'real',
  policy: 'content',
}

/** The journal that survives its owners. */
export class MemoryJournal {
  readonly records: JournalRecord[] = []

  add(record: NewRecord): JournalRecord {
    const whole = { ...record, n: this.records.length + 1, at: this.records.length + 1 }
    this.records.push(whole)
    return whole
  }

  /** Calls that have a result which a resume takes, by number. */
  finished(): Set<number> {
    const last = new Map<number, string>()
    for (const record of this.records) if (record.t === 'result') last.set(record.call, record.result.kind)
    return new Set([...last].flatMap(([call, kind]) => (kind === 'ok' || kind === 'skipped' ? [call] : [])))
  }
}

export interface MemoryRun extends OpenRun {
  /** Resolves when the owner was killed: nothing it does afterwards reaches the journal. */
  readonly killed: Promise<void>
}

export type AttemptFacts = Partial<Pick<Extract<NewRecord, { t: 'attempt' }>, 'script' | 'args' | 'from'>>

/** Takes the next attempt. @param killAfter results after which the owner dies; Infinity for never */
export function openMemoryRun(journal: MemoryJournal, killAfter: number, facts: AttemptFacts = {}): MemoryRun {
  const attempt = journal.records.filter((record) => record.t === 'attempt').length + 1
  journal.add({
    t: 'attempt',
    attempt,
    token: `token ${attempt}`,
    owner: { pid: attempt, startTime: 0, boot: 'boot', host: 'host' },
    script: INFO.source.sha256,
    engine: '0.1.0',
    policy: 'content',
    backend: 'real',
    ...facts,
  })
  let results = 0
  let die: () => void = () => undefined
  const killed = new Promise<void>((resolve) => {
    die = resolve
  })
  return {
    runId: INFO.runId,
    attempt,
    token: `token ${attempt}`,
    info: INFO,
    killed,
    history: async () => ({ records: [...journal.records], badLines: [] }),
    async append(records: NewRecord[]) {
      const added: JournalRecord[] = []
      for (const record of records) {
        if (results >= killAfter) {
          die()
          return new Promise<never>(() => undefined)
        }
        added.push(journal.add(record))
        if (record.t === 'result') results += 1
      }
      return added
    },
    put: async (value: Json): Promise<Value> => ({ inline: value }),
    get: async (value: Value) => ('inline' in value ? value.inline : null),
    keepSource: async (text: string, ext: string) => ({ sha256: sha256(text), file: `${sha256(text).slice(0, 16)}.${ext}` }),
    publish: () => undefined,
    transcript: () => undefined,
    child: () => undefined,
    release: async () => undefined,
  }
}
