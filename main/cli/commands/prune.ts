/** `reprise prune`: moves old runs out of the way. */
import { KEEP, TRASH_DAYS } from '../../store/retention.ts'
import { command } from '../command.ts'
import { shownPath } from '../shown-path.ts'
import { plural } from '../text/amounts.ts'
import { oneLine } from '../text/printable.ts'

export const pruneCommand = command({
  name: 'prune',
  purpose: 'Move old runs to the trash of the project',
  operands: { usage: '', min: 0, max: 0, needs: '' },
  notes: [
    `Runs that have ended are moved, the oldest first. Those that run, wait, are paused, were interrupted or are pinned stay. What lies in the trash for more than ${TRASH_DAYS} days is deleted.`,
  ],
  options: {
    keep: { kind: 'count', value: 'N', help: `How many ended runs stay; ${KEEP} by default`, min: 0, max: 1_000_000 },
    'dry-run': { kind: 'flag', help: 'Only say what would be moved and deleted' },
  },
  examples: [
    { line: 'reprise prune --dry-run', does: 'See what would go' },
    { line: 'reprise prune --keep 50', does: 'Keep the last 50 ended runs' },
  ],
  async run(_, given, context) {
    const project = await context.project()
    const dryRun = given['dry-run']
    const done = await (await context.service()).prune(project, { keep: given.keep ?? KEEP, dryRun })
    if (context.forPrograms) {
      context.document({
        dryRun,
        moved: done.moved.map(({ runId, number }) => ({ runId, number })),
        emptied: done.emptied,
        trash: done.trash,
      })
      return 0
    }
    const { moved, emptied } = done
    for (const run of moved) context.answer(`#${run.number}  ${oneLine(run.title)}  ${run.runId}`)
    const would = dryRun ? 'would be ' : ''
    const trash = shownPath(done.trash, context.io.cwd)
    if (moved.length > 0) context.note(`${plural(moved.length, 'run')} ${would}moved to ${trash}.`)
    if (emptied.length > 0) context.note(`${plural(emptied.length, 'run')} in the trash for more than ${TRASH_DAYS} days ${would}deleted.`)
    if (moved.length === 0 && emptied.length === 0) context.note('Nothing to do: no more ended runs than are kept.')
    return 0
  },
})
