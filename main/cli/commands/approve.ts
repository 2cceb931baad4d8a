/** `reprise approve`: decides a gate, of a run in whatever process, or of one that was left waiting. */
import { assertNever } from '../../../shared/assert-never.ts'
import { AppError } from '../../../shared/errors.ts'
import type { RunId } from '../../../shared/ids.ts'
import type { RunView } from '../../../shared/run/view.ts'
import type { GateChoice } from '../../service/service.ts'
import { callNumber } from '../call-reference.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { followRun } from '../follow-run.ts'
import { askGate, gateFacts } from '../gate-question.ts'
import { oneLine } from '../text/printable.ts'

export const approveCommand = command({
  name: 'approve',
  purpose: 'Decide a gate that a run waits at',
  operands: { usage: '<run> [gate]', min: 1, max: 2, needs: 'a run, such as “last” or “47”' },
  notes: [
    'The gate is its number or label; it may be left out when only one is open. On a terminal it is asked what you do not give.',
    'With --resume the exit code is the one of “reprise resume”.',
  ],
  options: {
    choice: { kind: 'text', value: 'CHOICE', help: 'One of the choices that the gate offers' },
    note: { kind: 'text', value: 'TEXT', help: 'A note for the script' },
    resume: { kind: 'flag', help: 'Go on with the run at once when nobody is at work on it' },
  },
  examples: [
    { line: 'reprise approve last --choice approve', does: 'Decide the only open gate of the newest run' },
    { line: 'reprise approve 47 plan --choice changes --note "Smaller steps"', does: 'Say what should be different' },
    { line: 'reprise approve 47 --choice approve --resume', does: 'Decide, then go on with the run' },
  ],
  async run([reference = '', gate], given, context) {
    const project = await context.project()
    const service = await context.service()
    const runId = await service.resolveRun(project, reference)
    const view = await service.show(project, runId)
    const callId = gate === undefined ? onlyGate(view) : callNumber(view, gate)
    const choice = given.choice ?? null
    const chosen = choice === null ? await ask(context, project, runId, callId) : { choice }
    const note = given.note === undefined ? {} : { note: given.note }
    const decided = { ...chosen, ...note, by: 'command line' }
    const outcome = await service.decide(project, runId, callId, decided)
    const resume = context.hint(['resume', runId])
    switch (outcome) {
      case 'delivered':
        context.note(`Decided: ${oneLine(decided.choice)}. The run goes on.`)
        break
      case 'saved':
        context.note(
          `Decided: ${oneLine(decided.choice)}. ${given.resume ? 'The run goes on.' : `Nobody is at work on the run; go on: ${resume}`}`,
        )
        if (given.resume)
          return followRun(context, () => service.resume(runId, { project, whenWaiting: context.canAsk ? 'stay' : 'leave' }))
        break
      case 'already-decided':
        context.warn(`That gate is decided already; the decision stands. Look: ${context.hint(['show', runId, '--call', String(callId)])}`)
        break
      default:
        return assertNever(outcome)
    }
    if (context.forPrograms) context.document({ runId, callId, choice: decided.choice, outcome })
    return outcome === 'already-decided' ? 2 : 0
  },
})

function onlyGate(view: RunView): number {
  const open = view.calls.filter((call) => call.kind === 'gate' && call.endedAt === null && call.startedAt !== null)
  const [gate] = open
  if (gate === undefined) throw new AppError('call-unknown', `Run #${view.number} waits at no gate. Look: reprise show ${view.runId}`)
  if (open.length === 1) return gate.callId
  const names = open.map((call) => `${call.callId} “${oneLine(call.label ?? call.title)}”`).join(', ')
  throw new AppError(
    'usage',
    `Run #${view.number} waits at ${open.length} gates: ${names}. Name one: reprise approve ${view.runId} ${gate.callId}`,
  )
}

async function ask(context: Context, project: string, runId: RunId, callId: number): Promise<Omit<GateChoice, 'by'>> {
  const detail = await (await context.service()).call(project, runId, callId)
  if (detail.kind !== 'gate') throw new AppError('call-unknown', `Call ${callId} is no gate. See the calls: reprise show ${runId}`)
  const facts = gateFacts(detail)
  const offers = facts.options.map((option) => `“${oneLine(option)}”`).join(', ')
  const given = context.canAsk ? await askGate(context, facts) : null
  if (given !== null) return given
  throw new AppError('usage', `Give your choice with --choice; this gate offers ${offers}. Nothing was decided.`)
}
