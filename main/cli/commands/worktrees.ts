/** `reprise worktrees`: what agents changed in worktrees of their own, and what becomes of it. */
import type { Worktree } from '../../../shared/contract/worktrees.ts'
import { AppError } from '../../../shared/errors.ts'
import type { RunId } from '../../../shared/ids.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { shownPath } from '../shown-path.ts'
import { plural } from '../text/amounts.ts'
import { oneLine } from '../text/printable.ts'

export const worktreesCommand = command({
  name: 'worktrees',
  purpose: 'List the git worktrees that a run has left, and apply or discard them',
  operands: { usage: '<run> [call]', min: 1, max: 2, needs: 'a run, such as “last” or “47”' },
  notes: [
    'Applied changes go into the files of the project, all of them or none, and are not committed. Without a call the run’s only worktree is meant; “run” names the one of the whole run.',
  ],
  options: {
    diff: { kind: 'flag', help: 'Print the changes as a patch' },
    apply: { kind: 'flag', help: 'Put the changes into the files of the project, and remove the worktree' },
    discard: { kind: 'flag', help: 'Remove the worktree with everything in it' },
  },
  examples: [
    { line: 'reprise worktrees last', does: 'List them with what was changed' },
    { line: 'reprise worktrees 47 3 --diff', does: 'See what call 3 changed' },
    { line: 'reprise worktrees 47 3 --apply', does: 'Take it over' },
  ],
  async run([reference = '', word], { diff, apply, discard }, context) {
    if ([diff, apply, discard].filter(Boolean).length > 1) {
      throw new AppError('usage', 'Choose one of --diff, --apply and --discard. See: reprise help worktrees')
    }
    const project = await context.project()
    const service = await context.service()
    const runId = await service.resolveRun(project, reference)
    const all = await service.worktrees(project, runId)
    if (!diff && !apply && !discard) return list(context, runId, word === undefined ? all : [chosen(all, word, runId)])
    const { callId } = chosen(all, word, runId)
    if (diff) {
      const text = await service.worktreeDiff(project, runId, callId)
      if (context.forPrograms) context.document({ runId, callId, diff: text })
      else if (text !== '') context.answer(text.replace(/\n$/, ''))
      return 0
    }
    const done = apply ? await service.applyWorktree(project, runId, callId) : await service.discardWorktree(project, runId, callId)
    if (context.forPrograms) context.document({ runId, ...done, outcome: apply ? 'applied' : 'discarded' })
    else
      context.note(apply ? `${changed(done)}; nothing was committed.` : `Discarded ${shownPath(done.path, context.io.cwd)} and its branch.`)
    return 0
  },
})

function list(context: Context, runId: RunId, worktrees: Worktree[]): number {
  if (context.forPrograms) {
    context.document({ runId, worktrees })
    return 0
  }
  for (const one of worktrees) {
    const whose = one.callId === null ? 'run' : String(one.callId)
    const label = one.label === null ? '' : `  ${oneLine(one.label)}`
    context.answer(`${whose}${label}  ${one.atWork ? 'at work' : changed(one)}  ${shownPath(one.path, context.io.cwd)}`)
  }
  if (worktrees.length === 0) context.note('This run has left no worktrees.')
  else context.note(`See one: ${context.hint(['worktrees', runId, '<call>', '--diff'])}, then --apply or --discard.`)
  return 0
}

function chosen(all: Worktree[], word: string | undefined, runId: RunId): Worktree {
  const names = all.map(({ callId }) => callId ?? 'run').join(', ')
  const [only] = all
  if (word === undefined && all.length === 1 && only !== undefined) return only
  if (word === undefined && all.length > 1) throw new AppError('usage', `This run has several worktrees. Name one: ${names}`)
  const found = all.find(({ callId }) => String(callId ?? 'run') === word)
  if (found !== undefined) return found
  const has = all.length === 0 ? 'This run has left no worktrees' : `This run has worktrees of: ${names}`
  throw new AppError('worktree-unknown', `${has}. List them with: reprise worktrees ${runId}`)
}

function changed({ files }: Worktree): string {
  const sum = (of: 'added' | 'removed'): number => files.reduce((total, file) => total + file[of], 0)
  return `${plural(files.length, 'file')} changed, +${sum('added')} −${sum('removed')}`
}
