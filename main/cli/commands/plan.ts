/** `reprise plan`: what a resume would replay and what it would run, without doing either. */
import { command } from '../command.ts'
import { noteKeptText } from '../kept-text.ts'
import { planLines } from '../plan-text.ts'
import { RESUME_OPTIONS, resumeOptions } from '../resume-options.ts'
import { oneLine } from '../text/printable.ts'

/** The options of the command line, as words for the resume that carries the plan out. */
function asWords(given: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(RESUME_OPTIONS).flatMap((name) => {
    const value = given[name]
    const values = Array.isArray(value) ? value : value === undefined ? [] : [value]
    return values.flatMap((one) => [`--${name}`, String(one)])
  })
}

export const planCommand = command({
  name: 'plan',
  purpose: 'Show what a resume would replay and what it would run, and why',
  operands: { usage: '<run>', min: 1, max: 1, needs: 'a run, such as “last” or “47”' },
  notes: ['The script is really executed against the saved results up to its first live call; nothing starts and nothing is written.'],
  options: RESUME_OPTIONS,
  examples: [
    { line: 'reprise plan last', does: 'What would happen on “reprise resume last”' },
    { line: 'reprise plan 47 --policy prefix', does: 'The same, if reuse ended at the first change' },
    { line: 'reprise plan 47 --json', does: 'The plan as one JSON document' },
  ],
  async run([reference = ''], given, context) {
    const project = await context.project()
    const service = await context.service()
    const runId = await service.resolveRun(project, reference)
    const view = await service.show(project, runId)
    await noteKeptText(context, view, given.file)
    const plan = await service.plan(runId, await resumeOptions(context, project, runId, given))
    if (context.forPrograms) {
      context.document(plan)
      return 0
    }
    const heading = `${oneLine(view.title)} #${view.number} · attempt ${plan.attempt}`
    const resume = context.hint(['resume', runId, ...asWords(given)])
    const isGoing = view.allowedActions.includes('stop')
    const next = isGoing ? `Still at work; stop it first: ${context.hint(['stop', runId])}` : `Resume: ${resume}`
    context.answer(planLines(plan, heading, next, context.globals.verbose, context.ink.out).join('\n'))
    return 0
  },
})
