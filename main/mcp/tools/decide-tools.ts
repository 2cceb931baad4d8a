/** What a person settles: `workflow_decide` for a gate, `workflow_answer` for a permission that an agent asks for. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { assertNever } from '../../../shared/assert-never.ts'
import { AppError } from '../../../shared/errors.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { callNumber } from '../../cli/call-reference.ts'
import { questionOf } from '../../cli/permission-question.ts'
import { oneLine } from '../../cli/text/printable.ts'
import { resumeRun } from '../resume-run.ts'
import { reportLine, runReport } from '../run-report.ts'
import type { ServerContext } from '../server-context.ts'
import { answer } from '../tool-answer.ts'

const run = z.string().min(1).max(200).describe('An id, the beginning of one, a number, or “last”')
const callReference = z.union([z.int().min(1), z.string().min(1)])

export const DecideInput = z.strictObject({
  run,
  gate: callReference.optional().describe('Number or label of the gate; may be left out when only one is open'),
  choice: z.string().min(1).describe('One of the options that the gate offers'),
  note: z.string().max(10_000).optional().describe('A note for the script'),
  resume: z.boolean().default(false).describe('Go on with the run at once when nobody is at work on it'),
})

export async function decideGate(context: ServerContext, input: z.infer<typeof DecideInput>): Promise<CallToolResult> {
  const { service, project } = context
  const runId = await service.resolveRun(project, input.run)
  const before = await service.show(project, runId)
  const callId = input.gate === undefined ? onlyGate(before) : callNumber(before, String(input.gate))
  const outcome = await service.decide(project, runId, callId, {
    choice: input.choice,
    ...(input.note !== undefined && { note: input.note }),
    by: 'MCP host',
  })
  if (outcome === 'saved' && input.resume) await resumeRun(context, runId, { project })
  const view = await service.show(project, runId)
  return answer(await runReport(context, view), `${decidedWords(outcome, input)} ${reportLine(view)}`)
}

function decidedWords(outcome: 'delivered' | 'saved' | 'already-decided', { choice, resume }: z.infer<typeof DecideInput>): string {
  switch (outcome) {
    case 'delivered':
      return `Decided: ${oneLine(choice)}. The run goes on.`
    case 'saved':
      return `Decided: ${oneLine(choice)}. ${resume ? 'The run goes on.' : 'Nobody is at work on it; go on with workflow_resume.'}`
    case 'already-decided':
      return 'That gate was decided before; that decision stands.'
    default:
      return assertNever(outcome)
  }
}

function onlyGate(view: RunView): number {
  const open = view.calls.filter((call) => call.kind === 'gate' && call.status === 'waiting')
  const [gate] = open
  if (gate === undefined) throw new AppError('call-unknown', `Run #${view.number} waits at no gate. Look with workflow_status.`)
  if (open.length === 1) return gate.callId
  const names = open.map(({ callId, label, title }) => `${callId} “${oneLine(label ?? title)}”`).join(', ')
  throw new AppError('usage', `Run #${view.number} waits at ${open.length} gates: ${names}. Name one with gate.`)
}

export const AnswerInput = z.strictObject({
  run,
  question: callReference.optional().describe('Name of the question, or the call that asks it; may be left out when only one is open'),
  answer: z
    .enum(['allow', 'always', 'deny'])
    .describe('“allow” and “deny” count for this one use; “always” for this tool of this agent until the attempt ends'),
})

const PERMISSIONS = {
  allow: { given: 'allow-once', done: 'Allowed' },
  always: { given: 'allow-always', done: 'Allowed from now on' },
  deny: { given: 'deny', done: 'Denied' },
} as const

export async function answerPermission(context: ServerContext, input: z.infer<typeof AnswerInput>): Promise<CallToolResult> {
  const { service, project } = context
  const runId = await service.resolveRun(project, input.run)
  const asked = questionOf(await service.show(project, runId), input.question === undefined ? null : String(input.question))
  const { given, done } = PERMISSIONS[input.answer]
  const outcome = await service.answer(project, runId, asked.question.question, given, 'MCP host')
  switch (outcome) {
    case 'accepted':
      break
    case 'ended':
    case 'refused':
      throw new AppError('question-closed', 'That question is closed already. Look with workflow_status.')
    case 'no-answer':
      throw new AppError('owner-silent', `The process that works on run ${runId} does not answer. Look again with workflow_status.`)
    default:
      return assertNever(outcome)
  }
  const view = await service.show(project, runId)
  const words = `${done}: ${oneLine(asked.question.title)}.`
  return answer(await runReport(context, view), `${words} ${reportLine(view)}`)
}
