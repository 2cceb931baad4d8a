/** `reprise resume`: the next attempt of a run. What is saved is replayed, the rest runs. */
import { AppError } from '../../../shared/errors.ts'
import type { RunId } from '../../../shared/ids.ts'
import type { ResumeOptions } from '../../service/service.ts'
import { command, RUN_EXITS } from '../command.ts'
import type { Context } from '../context.ts'
import { refuseErrors } from '../diagnostics.ts'
import { followRun } from '../follow-run.ts'
import { noteKeptText } from '../kept-text.ts'
import { callName } from '../plan-text.ts'
import { RESUME_OPTIONS, resumeOptions } from '../resume-options.ts'
import { shownPath } from '../shown-path.ts'
import { confirmTrust } from '../trust.ts'

export const resumeCommand = command({
  name: 'resume',
  purpose: 'Go on with a run: replay what is saved, run the rest',
  operands: { usage: '<run>', min: 1, max: 1, needs: 'a run, such as “last” or “47”' },
  notes: ['“reprise plan <run>” with the same options shows first what would be replayed and what would run.'],
  options: {
    ...RESUME_OPTIONS,
    yes: { kind: 'flag', short: 'y', help: 'Trust a changed script, and repeat calls that were running' },
  },
  exits: RUN_EXITS,
  examples: [
    { line: 'reprise resume last', does: 'Go on with the newest run' },
    { line: 'reprise resume 47 --from lint', does: 'Run the call “lint” of run 47 again, and everything after it' },
    { line: 'reprise resume 47 --budget 2m', does: 'Go on with a run whose token budget is used up' },
  ],
  async run([reference = ''], given, context) {
    const project = await context.project()
    const service = await context.service()
    const runId = await service.resolveRun(project, reference)
    const options = await resumeOptions(context, project, runId, given)
    options.whenWaiting = context.canAsk ? 'stay' : 'leave'
    if (given.yes) options.inFlight ??= 'repeat'
    const view = await service.show(project, runId)
    const { path } = view
    await noteKeptText(context, view, given.file)
    for (const asked = new Set<string>(); ; ) {
      try {
        return await followRun(context, () => service.resume(runId, options))
      } catch (thrown) {
        // Both questions can come up, one after the other; neither comes twice.
        const code = thrown instanceof AppError ? thrown.code : 'internal'
        if (asked.has(code)) throw thrown
        asked.add(code)
        if (code === 'in-flight') options.inFlight = await askInFlight(context, runId, options, thrown)
        else if (code === 'not-trusted') await trustAgain(context, options, textOf(thrown) ?? options.file ?? path, given.yes)
        else if (thrown instanceof AppError && thrown.line !== undefined)
          throw await inDetail(context, options.file ?? path, options, thrown)
        else throw thrown
      }
    }
  },
})

/** Lists the calls that were running and asks what to do with them, or passes the refusal on. */
async function askInFlight(
  context: Context,
  runId: RunId,
  options: ResumeOptions,
  refusal: unknown,
): Promise<NonNullable<ResumeOptions['inFlight']>> {
  const { inFlight } = await (await context.service()).plan(runId, options)
  const word = inFlight.length === 1 ? 'This call was' : 'These calls were'
  context.warn(`${word} running when the run was cut off, and may have done a part of the work:`)
  for (const call of inFlight) context.warn(`  ${callName(call)}`)
  if (!context.canAsk) throw refusal // which says how to choose
  const answer = await context.asker.ask('Repeat them, continue in their sessions, skip them, or stop? [repeat/continue/skip/stop] ')
  for (const choice of ['repeat', 'continue', 'skip', 'stop'] as const) if (answer !== '' && choice.startsWith(answer)) return choice
  throw refusal
}

/** A script that can't run is told of as `run` does it: all that is wrong, each with its place. */
async function inDetail(context: Context, path: string, options: ResumeOptions, refusal: AppError): Promise<AppError> {
  const found = await (await context.service()).preflight(options.project, { path }, options.agent).catch(() => null)
  if (found !== null) refuseErrors(context, shownPath(found.path, context.io.cwd), found.diagnostics)
  return refusal
}

/** The file of the text that is not trusted: where the script's own file is gone, the one that the run keeps. */
function textOf(refusal: unknown): string | null {
  const data = refusal instanceof AppError ? refusal.data : undefined
  return typeof data === 'object' && data !== null && 'path' in data && typeof data['path'] === 'string' ? data['path'] : null
}

/** The text that would run is another one than was trusted. */
async function trustAgain(context: Context, options: ResumeOptions, path: string, yes: boolean): Promise<void> {
  const service = await context.service()
  const found = await service.preflight(options.project, { path }, options.agent)
  refuseErrors(context, shownPath(found.path, context.io.cwd), found.diagnostics)
  await confirmTrust(context, found, yes)
}
