/** `reprise doctor`: examines a project's saved runs and repairs what is safe to repair. */
import { relative } from 'node:path'
import type { Finding } from '../../store/examine-run.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { plural } from '../text/amounts.ts'
import { oneLine } from '../text/printable.ts'

function tell(context: Context, project: string, finding: Finding, isLeft: boolean, isFixing: boolean): void {
  const { ink } = context
  const word = !isLeft ? ink.out.tone('completed', 'fixed') : finding.level === 'note' ? 'note' : ink.out.tone('failed', 'problem')
  const where = oneLine(relative(project, finding.path))
  const next = isFixing || finding.fix === null ? '' : ` --fix: ${finding.fix}`
  context.answer(`${word}  ${where}: ${oneLine(finding.what)}${next} [${finding.kind}]`)
}

const same = (a: Finding, b: Finding): boolean => a.kind === b.kind && a.path === b.path && a.runId === b.runId && a.what === b.what

export const doctorCommand = command({
  name: 'doctor',
  purpose: 'Examine the saved runs of a project and repair what is safe',
  operands: { usage: '', min: 0, max: 0, needs: '' },
  notes: ['A repair never touches a run that is at work, and never changes a journal.'],
  options: { fix: { kind: 'flag', help: 'Repair: the list of runs, left processes, litter' } },
  exits: [
    [0, 'nothing is wrong, or all of it was repaired'],
    [1, 'problems are left'],
    [2, 'wrong usage'],
  ],
  examples: [
    { line: 'reprise doctor', does: 'List what is wrong, and what a repair would do' },
    { line: 'reprise doctor --fix', does: 'Repair it' },
  ],
  async run(_, { fix }, context) {
    const project = await context.project()
    const { examine, repair } = await import('../../store/doctor.ts')
    const found = fix ? await repair(project) : lookOnly(examine(project))
    const worktrees = await leftWorktrees(project)
    const [findings, left] = [
      [...found.findings, ...worktrees],
      [...found.left, ...worktrees],
    ]
    const fixed = findings.filter((finding) => !left.some((other) => same(finding, other)))
    const problems = left.filter(({ level }) => level === 'problem').length
    if (context.forPrograms) context.document({ problems, fixed: fixed.length, findings: left, repaired: fixed })
    else {
      for (const finding of findings) tell(context, project, finding, !fixed.includes(finding), fix)
      // A repair may bring to light what another fault hid.
      for (const finding of left) if (!findings.some((other) => same(finding, other))) tell(context, project, finding, true, fix)
      const mended = fixed.length > 0 ? `, ${fixed.length} fixed` : ''
      context.note(problems + fixed.length === 0 ? 'No problems.' : `${plural(problems, 'problem')} left${mended}.`)
    }
    return problems > 0 ? 1 : 0
  },
})

function lookOnly(findings: Finding[]): { findings: Finding[]; left: Finding[] } {
  return { findings, left: findings }
}

/** Worktrees whose run is gone: a repair leaves them alone, since they may hold work that nobody took over. */
async function leftWorktrees(project: string): Promise<Finding[]> {
  const { orphanWorktrees } = await import('../../service/worktrees.ts')
  return (await orphanWorktrees(project)).map(({ path, branch }) => {
    const what = `A worktree of a run that is gone, on branch ${branch}. Look at it, then remove it with: git worktree remove --force ${path}`
    return { kind: 'worktree', level: 'note', runId: null, path, what, fix: null }
  })
}
