/** `reprise list`: the runs of a project, newest first. */
import { runState, STATUS } from '../../../shared/run/status.ts'
import type { RunStatus, RunSummary } from '../../../shared/run/view.ts'
import { RUN_STATUS_WORDS } from '../../../shared/words.ts'
import type { RunQuery } from '../../engine/ports.ts'
import { command } from '../command.ts'
import { settled } from '../progress/counts.ts'
import { ago, duration } from '../text/amounts.ts'
import type { Ink } from '../text/ink.ts'
import { oneLine } from '../text/printable.ts'
import { type Cell, type Column, table } from '../text/table.ts'

/** `stopped` is the word that people read, `killed` the one in the files. */
const STATUSES = [...(Object.keys(RUN_STATUS_WORDS) as RunStatus[]), 'stopped'] as const

const HEAD: readonly Column[] = [
  { title: '#', align: 'right' },
  { title: 'Workflow', shrinksTo: 12 },
  { title: 'State', shrinksTo: 14 },
  { title: 'Calls', align: 'right', leaves: 2 },
  { title: 'Time', align: 'right', leaves: 1 },
  { title: 'Changed', align: 'right', leaves: 3 },
]

function row(run: RunSummary, now: number, ink: Ink): Cell[] {
  if (run.damaged !== null) return damagedRow(run, now, ink)
  const { tone, word } = runState(run)
  const words = [word, oneLine(run.sentence)].filter((part) => part !== '')
  const made = settled(run.counts)
  return [
    { text: String(run.number) },
    { text: oneLine(run.title) },
    { text: `${STATUS[tone].glyph} ${words.join(' · ')}`, paint: (text) => ink.tone(tone, text) },
    { text: run.queued > 0 ? `${made}+${run.queued}` : String(made) },
    { text: duration((run.endedAt ?? now) - run.startedAt) },
    { text: ago(run.updatedAt, now) },
  ]
}

/** Of a run that can't be opened only its place is known, and when that changed. */
function damagedRow(run: RunSummary, now: number, ink: Ink): Cell[] {
  return [
    { text: run.number === 0 ? '?' : String(run.number) },
    { text: run.runId },
    { text: `${STATUS.failed.glyph} Unreadable`, paint: (text) => ink.tone('failed', text) },
    { text: '' },
    { text: '' },
    { text: ago(run.updatedAt, now) },
  ]
}

export const listCommand = command({
  name: 'list',
  purpose: 'List the runs of the project, newest first',
  operands: { usage: '', min: 0, max: 0, needs: '' },
  options: {
    status: {
      kind: 'choices',
      value: 'STATUS',
      choices: STATUSES,
      help: `Only runs in this state, or several with commas: ${STATUSES.join(', ')}`,
    },
    workflow: { kind: 'text', value: 'NAME', help: 'Only runs of this workflow' },
    limit: { kind: 'count', value: 'N', help: 'At most so many; 20 by default', min: 1, max: 10_000 },
  },
  examples: [
    { line: 'reprise list', does: 'The 20 newest runs' },
    { line: 'reprise list --status failed,interrupted', does: 'Runs that want a resume' },
    { line: 'reprise list --workflow triage --limit 100 --json', does: 'For a program, as a JSON array' },
  ],
  async run(_, given, context) {
    const project = await context.project()
    const query: RunQuery = { limit: given.limit ?? 20 }
    if (given.status.length > 0) query.status = given.status.map((status) => (status === 'stopped' ? 'killed' : status))
    if (given.workflow !== undefined) query.workflow = given.workflow
    const { runs, total } = await (await context.service()).list(project, query)
    if (context.forPrograms) {
      context.document(runs)
      return 0
    }
    if (runs.length === 0) {
      const isFiltered = given.status.length > 0 || given.workflow !== undefined
      context.note(
        isFiltered
          ? 'No run matches.'
          : `Nothing has run in ${project} yet. Start: ${context.hint(['run', '<file|name>']).replaceAll("'", '')}`,
      )
      return 0
    }
    const ink = context.ink.out
    const columns = context.io.isTty.stdout ? context.io.stdout.columns || 80 : null
    const [head = '', ...lines] = table(
      HEAD,
      runs.map((run) => row(run, Date.now(), ink)),
      columns,
    )
    context.answer([ink.dim(head), ...lines].join('\n'))
    for (const run of runs) if (run.damaged !== null) context.warn(`${run.runId}: ${oneLine(run.damaged)}`)
    if (total > runs.length) context.note(`${runs.length} of ${total} runs; --limit shows more.`)
    return 0
  },
})
