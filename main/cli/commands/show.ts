/** `reprise show`: one run, or one call of it. */
import { callState } from '../../../shared/run/status.ts'
import { callNumber } from '../call-reference.ts'
import { callDetailLines } from '../call-text.ts'
import { command } from '../command.ts'
import { nextStep } from '../next-step.ts'
import { runLines } from '../show-text.ts'
import { transcriptLines } from '../transcript-text.ts'

/** Of a transcript, without `--verbose` and with it. */
const LAST_LINES = 40
const ALL_LINES = 100_000

export const showCommand = command({
  name: 'show',
  purpose: 'Show a run: phases, calls, error, log and the next step',
  operands: { usage: '<run>', min: 1, max: 1, needs: 'a run, such as “last” or “47”' },
  options: {
    call: { kind: 'text', value: 'CALL', help: 'Show this call in full: its number or label' },
  },
  examples: [
    { line: 'reprise show last', does: 'The newest run' },
    { line: 'reprise show 47 --call lint', does: 'What the call “lint” of run 47 was asked and answered' },
    { line: 'reprise show 47 --call lint --json', does: 'The same for a program, with the last events of its transcript' },
    { line: 'reprise show 47 --json', does: 'The whole run view as one JSON document' },
  ],
  async run([reference = ''], given, context) {
    const project = await context.project()
    const service = await context.service()
    const runId = await service.resolveRun(project, reference)
    const view = await service.show(project, runId)
    if (given.call !== undefined) {
      const number = callNumber(view, given.call)
      const call = await service.call(project, runId, number)
      const shown = view.calls.find(({ callId }) => callId === number)
      const state = shown === undefined || shown.endedAt !== null ? null : callState(shown, view.status).word
      const transcript = await service.transcript(project, runId, number, { limit: context.globals.verbose ? ALL_LINES : LAST_LINES })
      if (context.forPrograms) context.document({ ...call, transcript })
      else {
        const lines = callDetailLines(call, state, view.attempt, context.ink.out)
        context.answer([...lines, ...transcriptLines(transcript, context.ink.out)].join('\n'))
      }
      return 0
    }
    if (context.forPrograms) context.document(view)
    else {
      const options = {
        cwd: context.io.cwd,
        now: Date.now(),
        all: context.globals.verbose,
        ink: context.ink.out,
        columns: context.io.isTty.stdout ? context.io.stdout.columns || 80 : null,
        next: nextStep(view, context),
      }
      context.answer(runLines(view, options).join('\n'))
    }
    return 0
  },
})
