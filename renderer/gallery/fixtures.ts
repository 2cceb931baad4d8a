/** Runs in every state, made up but consistent, for the gallery and the tests of screens. Times hang on one fixed now. */
import type { Json } from '../../shared/json.ts'
import type { ResumePlan } from '../../shared/run/plan.ts'
import type { Counts } from '../../shared/run/record.ts'
import type { CallView, PhaseView, RunStatus, RunSummary, RunView } from '../../shared/run/view.ts'

/** Friday 12 June 2026, 11:42:07 local time. */
export const NOW = new Date(2026, 5, 12, 11, 42, 7).getTime()
const SECOND = 1000

interface CallSpec {
  label: string
  phase: string | null
  /** Seconds from the attempt's start; absent of a replayed call. */
  queued?: number
  start?: number
  end?: number
  /** Seconds a replayed call once took. */
  replayed?: number
  status?: CallView['status']
  kind?: CallView['kind']
  summary?: string
  reason?: string
  detail?: string
  why?: CallView['whyLive']
  progress?: string
  out?: number
  options?: string[]
}

function call(spec: CallSpec, callId: number, zero: number): CallView {
  const at = (seconds: number | undefined) => (seconds === undefined ? null : zero + seconds * SECOND)
  const replayed = spec.replayed !== undefined
  const status = spec.status ?? (replayed || spec.end !== undefined ? 'ok' : spec.start !== undefined ? 'running' : 'queued')
  const took = replayed ? (spec.replayed ?? 0) : spec.start !== undefined && spec.end !== undefined ? spec.end - spec.start : null
  const out = spec.out ?? (took === null ? 0 : Math.round(took * 173))
  return {
    callId,
    kind: spec.kind ?? 'agent',
    label: spec.label,
    title: spec.label,
    phase: spec.phase,
    status,
    source: replayed ? 'replayed' : 'live',
    whyLive: replayed ? null : (spec.why ?? 'no-saved-result'),
    agent: 'claude',
    model: 'sonnet',
    fp: `9f3c41d0a7be${callId.toString(16).padStart(4, '0')}`,
    queuedAt: zero + (spec.queued ?? spec.start ?? 0) * SECOND,
    startedAt: replayed ? zero : at(spec.start),
    endedAt: replayed ? zero + 20 : at(spec.end),
    ms: took === null ? null : took * SECOND,
    inputTokens: out * 6,
    outputTokens: out,
    cost: null,
    tries: spec.status === 'dead' ? 3 : 1,
    summary: spec.summary ?? '',
    reason: spec.reason ?? null,
    detail: spec.detail ?? null,
    backend: 'claude',
    fromAttempt: replayed ? 1 : null,
    lastProgress: spec.progress ?? null,
    ...(spec.options !== undefined && { options: spec.options }),
    actions: status === 'running' ? ['skip', 'retry'] : status === 'queued' ? ['skip'] : [],
  }
}

function countsOf(calls: readonly CallView[]): Counts {
  const counted = calls.filter((one) => one.kind === 'agent' && one.endedAt !== null)
  const many = (status: CallView['status']) => counted.filter((one) => one.status === status).length
  return {
    ok: many('ok'),
    dead: many('dead'),
    skipped: many('skipped'),
    abandoned: many('abandoned'),
    replayed: counted.filter((one) => one.source === 'replayed').length,
    live: counted.filter((one) => one.source === 'live').length,
  }
}

function phases(titles: readonly string[], calls: readonly CallView[], current: string | null): PhaseView[] {
  return titles.map((title) => {
    const own = calls.filter((one) => one.phase === title)
    const started = own.length === 0 ? null : Math.min(...own.map((one) => one.startedAt ?? one.queuedAt))
    const status = own.length === 0 ? 'not-yet' : title === current ? 'running' : 'ended'
    return { title, detail: null, declared: true, status, startedAt: started, endedAt: status === 'ended' ? started : null }
  })
}

interface RunSpec {
  number: number
  title: string
  status: RunStatus
  attempt?: number
  /** Start of the attempt, seconds before now; and its end, seconds after its start. */
  startedAgo: number
  ended?: number
  /** Last sign of an attempt without an end, seconds after its start. */
  lastSign?: number
  phases: string[]
  current?: string
  calls: CallSpec[]
  more?: Partial<RunView>
}

export function run(spec: RunSpec): RunView {
  const zero = NOW - spec.startedAgo * SECOND
  const calls = spec.calls.map((one, index) => call(one, index + 1, zero))
  const counts = countsOf(calls)
  const attempt = spec.attempt ?? 1
  const sum = (list: readonly CallView[]) => list.reduce((total, one) => total + one.outputTokens, 0)
  const endedAt = spec.ended === undefined ? null : zero + spec.ended * SECOND
  const live = spec.status === 'running'
  return {
    runId: `01JXG3RUN${String(spec.number).padStart(4, '0')}`,
    number: spec.number,
    title: spec.title,
    path: `.claude/workflows/${spec.title}.ts`,
    script: 'c41e90b2',
    scriptChanged: false,
    status: spec.status,
    reason: null,
    resetAt: null,
    error: null,
    attempt,
    attempts: Array.from({ length: attempt }, (_, index) => ({
      attempt: index + 1,
      startedAt: zero - (attempt - index - 1) * 3600 * SECOND,
      endedAt: index + 1 === attempt ? endedAt : zero - 1800 * SECOND,
      status: index + 1 === attempt ? spec.status : 'interrupted',
      counts,
    })),
    backend: 'claude',
    concurrency: 3,
    budget: 500_000,
    maxCost: null,
    phases: phases(spec.phases, calls, live ? (spec.current ?? null) : null),
    currentPhase: live ? (spec.current ?? null) : null,
    calls,
    counts,
    outputTokens: sum(calls),
    liveOutputTokens: sum(calls.filter((one) => one.source === 'live')),
    cost: null,
    committed: { outputTokens: sum(calls), cost: 0 },
    startedAt: attempt === 1 ? zero : zero - 3600 * SECOND,
    attemptStartedAt: zero,
    updatedAt: endedAt ?? (spec.lastSign === undefined ? NOW : zero + spec.lastSign * SECOND),
    endedAt,
    log: [],
    value: null,
    badLines: [],
    allowedActions: live ? ['stop'] : spec.status === 'completed' ? ['export', 'delete'] : ['resume', 'export', 'delete'],
    lastSeq: 100,
    ...spec.more,
  }
}

const REVIEWED = ['refunds.ts', 'post.ts', 'money.ts', 'webhooks.ts', 'schema.sql']
const WAIT = 6782

/** Attempt 2: replayed calls, live ones in every state, an answered gate over a folded wait, a waiting gate. */
export const RUNNING = run({
  number: 47,
  title: 'review-changes',
  status: 'running',
  attempt: 2,
  startedAgo: WAIT + 40,
  phases: ['Collect', 'Review', 'Verify', 'Report'],
  current: 'Verify',
  calls: [
    { label: 'list changes', phase: 'Collect', replayed: 1 },
    { label: 'read conventions', phase: 'Collect', replayed: 41 },
    { label: 'map owners', phase: 'Collect', replayed: 12 },
    { label: 'scan tests', phase: 'Collect', replayed: 26 },
    ...REVIEWED.map((label, index): CallSpec => ({ label, phase: 'Review', replayed: [58, 72, 31, 44, 27][index] ?? 30 })),
    { label: 'idempotency.ts', phase: 'Review', start: 0, end: 41, summary: '2 findings' },
    {
      label: 'ledger.test.ts',
      phase: 'Review',
      start: 0,
      end: 29,
      status: 'dead',
      reason: 'schema-mismatch',
      detail: 'Expected { findings: array }, got { finding: object }',
      why: 'died-last-time',
    },
    { label: 'openapi.yaml', phase: 'Review', start: 0, end: 33, summary: '0 findings' },
    { label: '0042_refunds.sql', phase: 'Review', queued: 0, start: 29, end: 51, summary: '1 finding', why: 'prompt-changed' },
    { label: 'Deep-check 6 findings?', phase: 'Verify', kind: 'gate', start: 51, end: WAIT - 1, summary: 'Approved', out: 0 },
    { label: 'double post under retry', phase: 'Verify', start: WAIT, progress: 'npm test -- post.retry', out: 3412 },
    { label: 'refund above capture', phase: 'Verify', start: WAIT, end: WAIT + 22, summary: 'Confirmed' },
    { label: 'rounding in split()', phase: 'Verify', start: WAIT, progress: 'Reads src/ledger/money.ts', out: 4020 },
    { label: 'webhook sent twice', phase: 'Verify', queued: WAIT, start: WAIT + 22, out: 1964 },
    { label: 'N+1 in listRefunds', phase: 'Verify', queued: WAIT },
    { label: 'lock order in post()', phase: 'Verify', queued: WAIT },
    {
      label: 'Is refunds v1 frozen?',
      phase: 'Verify',
      kind: 'gate',
      start: WAIT + 22,
      status: 'waiting',
      out: 0,
      options: ['Frozen', 'Not frozen'],
    },
  ],
  more: { allowedActions: ['stop', 'pause', 'decide'] },
})

function audit(lint: Partial<CallSpec>, changes: Partial<CallSpec>): CallSpec[] {
  return [
    { label: 'list manifests', phase: 'Collect', start: 0, end: 47 },
    { label: 'list lockfiles', phase: 'Collect', start: 1, end: 23 },
    { label: 'read policy', phase: 'Collect', start: 1, end: 32 },
    { label: 'express 5.1.0', phase: 'Review', start: 47, end: 109, summary: '2 advisories' },
    { label: 'pg 8.16.0', phase: 'Review', start: 47, end: 91 },
    { label: 'zod 4.0.5', phase: 'Review', start: 47, end: 75 },
    { label: 'undici 7.11.0', phase: 'Review', queued: 47, start: 75, end: 141, summary: '1 advisory' },
    { label: 'pino 9.7.0', phase: 'Review', queued: 47, start: 91, end: 126 },
    { label: 'stripe 18.3.0', phase: 'Review', queued: 47, start: 109, end: 190, summary: 'breaking' },
    { label: 'vitest 3.2.4', phase: 'Review', queued: 47, start: 126, end: 175 },
    { label: 'tsx 4.20.3', phase: 'Review', queued: 47, start: 141, end: 218 },
    { label: 'install in worktree', phase: 'Verify', start: 218, end: 249 },
    { label: 'unit tests', phase: 'Verify', start: 249, end: 307, summary: '412 pass' },
    { label: 'lint', phase: 'Verify', start: 249, ...lint },
    { label: 'breaking changes', phase: 'Verify', queued: 249, start: 307, ...changes },
  ]
}

const AUDIT = { title: 'audit-deps', phases: ['Collect', 'Review', 'Verify', 'Report'] } as const

export const INTERRUPTED = run({
  ...AUDIT,
  phases: [...AUDIT.phases],
  number: 43,
  status: 'interrupted',
  startedAgo: 62_400,
  lastSign: 321,
  calls: audit({ progress: 'Edits src/http/client.ts' }, {}),
})

export const STOPPED = run({
  ...AUDIT,
  phases: [...AUDIT.phases],
  number: 42,
  status: 'killed',
  startedAgo: 64_000,
  ended: 315,
  calls: audit({ end: 315, status: 'abandoned' }, { end: 315, status: 'abandoned' }),
})

export const PAUSED = run({
  ...AUDIT,
  phases: [...AUDIT.phases],
  number: 41,
  status: 'paused',
  startedAgo: 4000,
  ended: 330,
  calls: audit(
    { end: 330, status: 'dead', reason: 'rate-limited', detail: 'Usage limit reached for this account' },
    { end: 322, summary: '3 found' },
  ),
  more: { reason: 'quota', resetAt: new Date(NOW + 8_400_000).toISOString() },
})

export const FAILED = run({
  number: 46,
  title: 'fix-flaky',
  status: 'failed',
  startedAgo: 7860,
  ended: 400,
  phases: ['Find', 'Reproduce', 'Verify', 'Patch'],
  calls: [
    { label: 'recent failures', phase: 'Find', start: 0, end: 52 },
    { label: 'candidates', phase: 'Find', start: 0, end: 34 },
    { label: 'blame', phase: 'Find', start: 4, end: 45 },
    { label: 'start postgres', phase: 'Reproduce', start: 52, end: 61 },
    { label: 'write a loop', phase: 'Reproduce', start: 61, end: 109, summary: 'loop.sh' },
    { label: 'run 50 times', phase: 'Reproduce', start: 109, end: 143, summary: '7 of 50' },
    { label: 'instrument', phase: 'Verify', start: 143, end: 210, summary: 'trace added' },
    {
      label: 'reproduce',
      phase: 'Verify',
      start: 210,
      end: 400,
      status: 'dead',
      reason: 'timeout',
      detail: 'Timed out after 180 s.\nLast line: waiting for postgres on :5433',
    },
  ],
  more: {
    error: {
      code: 'script-error',
      message: 'TypeError at line 61: the result of “reproduce” is null and has no property steps. Check it before you use it.',
      line: 61,
      column: 18,
    },
  },
})

export const COMPLETED = run({
  number: 44,
  title: 'triage-issues',
  status: 'completed',
  attempt: 2,
  startedAgo: 10_900,
  ended: 235,
  phases: ['Fetch', 'Label', 'Report'],
  calls: [
    ...['open issues', 'labels', 'owners'].map((label, index): CallSpec => ({ label, phase: 'Fetch', replayed: 12 + index * 9 })),
    ...Array.from(
      { length: 8 },
      (_, index): CallSpec => ({ label: `issue ${412 + index}`, phase: 'Label', replayed: 18 + ((index * 7) % 23) }),
    ),
    ...Array.from(
      { length: 5 },
      (_, index): CallSpec => ({
        label: `issue ${420 + index}`,
        phase: 'Label',
        queued: 0,
        start: Math.floor(index / 3) * 61 + (index % 3) * 4,
        end: Math.floor(index / 3) * 61 + 44 + ((index * 17) % 40),
        summary: ['bug', 'docs', 'question', 'bug', 'wontfix'][index] ?? '',
        why: 'new-call',
      }),
    ),
    { label: 'write report', phase: 'Report', start: 150, end: 235, summary: 'Report for 13 issues' },
  ],
  more: { value: { inline: { proposed: 13, labels: { bug: 6, docs: 3, question: 4 } } } },
})

export const PARTIAL = run({
  number: 45,
  title: 'review-changes',
  status: 'completed',
  startedAgo: 9600,
  ended: 423,
  phases: ['Collect', 'Review', 'Verify', 'Report'],
  calls: [
    { label: 'list changes', phase: 'Collect', start: 0, end: 3 },
    { label: 'read conventions', phase: 'Collect', start: 0, end: 42 },
    { label: 'map owners', phase: 'Collect', start: 1, end: 13 },
    ...['refunds.ts', 'post.ts', 'money.ts', 'webhooks.ts', 'ledger.test.ts', 'schema.sql'].map((label, index): CallSpec => {
      const start = 42 + Math.floor(index / 3) * 72
      const died: Partial<CallSpec> = { status: 'dead', reason: 'stalled', detail: 'No sign of life for 120 s' }
      return {
        label,
        phase: 'Review',
        queued: 42,
        start,
        end: start + ([58, 72, 31, 44, 60, 27][index] ?? 30),
        summary: `${index} findings`,
        ...(index === 4 ? died : {}),
      }
    }),
    { label: 'double post under retry', phase: 'Verify', start: 189, end: 300, summary: 'Confirmed' },
    { label: 'rounding in split()', phase: 'Verify', start: 189, end: 262, summary: 'Refuted' },
    { label: 'write report', phase: 'Report', start: 300, end: 423, summary: '8 findings' },
  ],
})

/** A run that has only begun. */
export const EMPTY = run({
  number: 49,
  title: 'release',
  status: 'running',
  startedAgo: 2,
  phases: ['Plan', 'Draft', 'Check', 'Publish'],
  calls: [],
})

/** The largest run there can be. */
export const LARGE = run({
  number: 50,
  title: 'migrate-tests',
  status: 'running',
  startedAgo: 1500,
  phases: ['Scan', 'Convert', 'Verify'],
  current: 'Verify',
  calls: [
    ...Array.from(
      { length: 40 },
      (_, index): CallSpec => ({ label: `scan ${index + 1}`, phase: 'Scan', start: index * 4, end: index * 4 + 9 + (index % 5) }),
    ),
    ...Array.from({ length: 880 }, (_, index): CallSpec => {
      const start = 170 + Math.floor(index / 16) * 22 + (index % 16)
      const dead: Partial<CallSpec> = index % 97 === 13 ? { status: 'dead', reason: 'agent-error', detail: 'exit code 1' } : {}
      return {
        label: `test/unit/case-${index + 1}.spec.ts`,
        phase: 'Convert',
        queued: start - 8,
        start,
        end: start + 14 + (index % 7),
        summary: 'converted',
        ...dead,
      }
    }),
    ...Array.from({ length: 80 }, (_, index): CallSpec => {
      const start = 1390 + Math.floor(index / 16) * 24
      return {
        label: `verify ${index + 1}`,
        phase: 'Verify',
        queued: 1385,
        ...(start < 1500 ? { start } : {}),
        ...(start + 22 < 1500 ? { end: start + 22 } : {}),
      }
    }),
  ],
  more: { concurrency: 16, budget: null },
})

export const RUNS: readonly RunView[] = [RUNNING, FAILED, PARTIAL, COMPLETED, INTERRUPTED, STOPPED, PAUSED]

type Cell = RunSummary['strip'][number]['state']

function summary(
  number: number,
  title: string,
  status: RunStatus,
  sentence: string,
  strip: Cell[],
  more: Partial<RunSummary> = {},
): RunSummary {
  const startedAt = more.startedAt ?? NOW - number * 1000
  return {
    runId: `01JXG3RUN${String(number).padStart(4, '0')}`,
    number,
    title,
    path: `.claude/workflows/${title}.ts`,
    status,
    reason: null,
    sentence,
    attempt: 1,
    counts: { ok: 20, dead: 0, skipped: 0, abandoned: 0, replayed: 0, live: 20 },
    queued: 0,
    outputTokens: 64_000,
    cost: null,
    startedAt,
    updatedAt: more.endedAt ?? NOW,
    endedAt: startedAt + 242_000,
    backend: 'claude',
    currentPhase: null,
    strip: strip.map((state, index) => ({
      title: ['Collect', 'Review', 'Verify', 'Report', 'Close'][index] ?? `Phase ${index + 1}`,
      state,
    })),
    damaged: null,
    ...more,
  }
}

const at = (hours: number, minutes: number, daysAgo = 0) => new Date(2026, 5, 12 - daysAgo, hours, minutes).getTime()
const counts = (ok: number, dead = 0, replayed = 0): Counts => ({
  ok,
  dead,
  skipped: 0,
  abandoned: 0,
  replayed,
  live: ok + dead - replayed,
})
const DONE: Cell[] = ['done', 'done', 'done', 'done']

export const HISTORY: readonly RunSummary[] = [
  summary(48, 'release', 'paused', '', ['done', 'stopped', 'not-yet', 'not-yet'], {
    reason: 'quota',
    startedAt: at(11, 30),
    updatedAt: at(11, 38),
    endedAt: null,
    counts: counts(12),
  }),
  summary(47, 'review-changes', 'running', 'Verify · 1 waits for you, 1 died', ['replayed', 'failed', 'running', 'not-yet'], {
    startedAt: at(9, 48),
    endedAt: null,
    counts: counts(18, 1, 9),
    queued: 2,
    outputTokens: 150_000,
    currentPhase: 'Verify',
    attempt: 2,
  }),
  summary(46, 'fix-flaky', 'failed', '“reproduce” died in Verify. 8 saved', ['done', 'done', 'failed', 'not-yet'], {
    startedAt: at(9, 31),
    endedAt: at(9, 31) + 400_000,
    counts: counts(8, 1),
    outputTokens: 96_000,
  }),
  summary(45, 'review-changes', 'completed', '8 findings', ['done', 'failed', 'done', 'done'], {
    startedAt: at(9, 2),
    endedAt: at(9, 2) + 423_000,
    counts: counts(18, 1),
    outputTokens: 211_000,
  }),
  summary(44, 'triage-issues', 'completed', '14 replayed, 6 live', ['replayed', 'replayed', 'done'], {
    startedAt: at(8, 40),
    endedAt: at(8, 40) + 235_000,
    counts: counts(20, 0, 14),
    outputTokens: 62_000,
    attempt: 2,
  }),
  summary(43, 'audit-deps', 'interrupted', '14 saved', ['done', 'done', 'stopped', 'not-yet'], {
    startedAt: at(18, 17, 1),
    updatedAt: at(18, 22, 1),
    endedAt: null,
    counts: counts(14),
  }),
  summary(42, 'release-notes', 'killed', '12 saved', ['done', 'stopped', 'not-yet'], {
    startedAt: at(17, 50, 1),
    endedAt: at(17, 52, 1),
    counts: counts(13),
    outputTokens: 40_000,
  }),
  summary(41, 'review-changes', 'completed', '6 findings', DONE, {
    startedAt: at(16, 12, 1),
    endedAt: at(16, 12, 1) + 411_000,
    outputTokens: 198_000,
  }),
  summary(40, 'triage-issues', 'completed', '3 labels proposed', ['done', 'done', 'done'], {
    startedAt: at(14, 30, 1),
    endedAt: at(14, 34, 1),
  }),
  summary(39, 'audit-deps', 'failed', 'Line 14 can’t be read. Nothing ran', ['failed', 'not-yet', 'not-yet', 'not-yet'], {
    startedAt: at(14, 2, 1),
    endedAt: at(14, 2, 1),
    counts: counts(0),
    outputTokens: 0,
  }),
  summary(38, 'audit-deps', 'completed', '2 advisories', DONE, {
    startedAt: at(11, 25, 1),
    endedAt: at(11, 25, 1) + 378_000,
    outputTokens: 173_000,
  }),
  summary(37, 'fix-flaky', 'completed', '1 patch ready in a worktree', DONE, {
    startedAt: at(10, 7, 1),
    endedAt: at(10, 7, 1) + 584_000,
    outputTokens: 120_000,
  }),
  summary(36, 'release-notes', 'completed', 'draft for 2.14.0', ['done', 'done', 'done'], {
    startedAt: at(9, 20, 1),
    endedAt: at(9, 20, 1) + 151_000,
    outputTokens: 44_000,
  }),
  ...Array.from({ length: 35 }, (_, index) =>
    summary(35 - index, index % 3 === 0 ? 'triage-issues' : 'review-changes', 'completed', `${(index % 7) + 1} findings`, DONE, {
      startedAt: at(16, 30, 3 + Math.floor(index / 4)) - (index % 4) * 3_600_000,
      endedAt: at(16, 30, 3 + Math.floor(index / 4)) - (index % 4) * 3_600_000 + 250_000 + index * 7000,
      outputTokens: 60_000 + index * 1900,
    }),
  ),
]

function planned(view: RunView, labels: readonly string[]): ResumePlan['replayed'] {
  return view.calls
    .filter((one) => labels.includes(one.label ?? ''))
    .map((one) => ({ callId: one.callId, kind: one.kind, label: one.label, title: one.title, phase: one.phase }))
}

export const PLAN: ResumePlan = {
  runId: INTERRUPTED.runId,
  attempt: 2,
  replayed: planned(
    INTERRUPTED,
    INTERRUPTED.calls.filter((one) => one.endedAt !== null).map((one) => one.label ?? ''),
  ),
  certainLive: planned(INTERRUPTED, ['lint', 'breaking changes']).map((one) => ({ ...one, why: 'was-running' as const })),
  notReached: [],
  scriptChanged: false,
  childrenChanged: [],
  unexpected: [],
  inFlight: [],
  estimate: { calls: 4, outputTokens: 30_000 },
  complete: false,
}

export const PLAN_CHANGED: ResumePlan = {
  ...PLAN,
  replayed: PLAN.replayed.filter((one) => one.label !== 'stripe 18.3.0'),
  certainLive: [
    ...planned(INTERRUPTED, ['stripe 18.3.0']).map((one) => ({
      ...one,
      why: 'prompt-changed' as const,
      old: 'Read the changelog of stripe between 17.7.0 and 18.3.0.\nList breaking changes.\nAnswer as JSON.',
      new: 'Read the changelog of stripe between 17.7.0 and 18.3.0.\nList breaking changes that touch refunds or webhooks.\nAnswer as JSON.',
    })),
    ...PLAN.certainLive,
  ],
  notReached: planned(INTERRUPTED, ['unit tests']),
  inFlight: planned(INTERRUPTED, ['lint']),
  scriptChanged: true,
}

export const PROMPT =
  'Try to disprove this finding. Write a failing test first.\nFinding F3, high: post() can write two entries when the client retries between INSERT and COMMIT (src/ledger/post.ts:118).'

export const OUTPUT: Json = {
  verdict: 'confirmed',
  severity: 'high',
  evidence: [
    { file: 'src/ledger/post.ts', line: 118, note: 'no idempotency key on the second insert' },
    { file: 'test/post.retry.test.ts', line: 12, note: 'fails with two rows' },
  ],
  fixed: false,
}
