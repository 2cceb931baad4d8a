/** What a run waits for a person for: open gates and permissions, each with the tool that settles it. */
import * as z from 'zod'
import { RunId } from '../../shared/ids.ts'
import type { RunView } from '../../shared/run/view.ts'
import { gateFacts } from '../cli/gate-question.ts'
import { openQuestions } from '../cli/permission-question.ts'
import { oneLine } from '../cli/text/printable.ts'
import type { ServerContext } from './server-context.ts'

/** Of what a gate shows; the rest is left to `reprise show`. */
const SHOWN_CHARS = 20_000

export const WaitsForYou = z.object({
  gates: z.array(
    z.object({
      tool: z.literal('workflow_decide'),
      gate: z.number().describe('The number of the call'),
      question: z.string(),
      options: z.array(z.string()),
      shown: z.string().optional().describe(`What the gate shows, at most ${SHOWN_CHARS} characters`),
    }),
  ),
  questions: z
    .array(z.object({ tool: z.literal('workflow_answer'), question: z.string(), call: z.number(), uses: z.string(), title: z.string() }))
    .describe('Permissions that an agent asks for; denied when nobody answers for ten minutes'),
})
export type WaitsForYou = z.infer<typeof WaitsForYou>

/** A gate or a permission is open, whatever else goes on. */
export function needsPerson({ allowedActions }: Pick<RunView, 'allowedActions'>): boolean {
  return allowedActions.includes('decide') || allowedActions.includes('answer')
}

/** Null when nothing is open. */
export async function waitsForYou({ service, project }: ServerContext, view: RunView): Promise<WaitsForYou | null> {
  if (!needsPerson(view)) return null
  const open = view.calls.filter((call) => call.kind === 'gate' && call.status === 'waiting')
  const gates = await Promise.all(
    open.map(async ({ callId }) => {
      const { question, options, shown } = gateFacts(await service.call(project, RunId.parse(view.runId), callId))
      const text = shown?.text.slice(0, SHOWN_CHARS)
      return { tool: 'workflow_decide' as const, gate: callId, question, options, ...(text !== undefined && { shown: text }) }
    }),
  )
  const questions = openQuestions(view).map(({ call, question }) => ({
    tool: 'workflow_answer' as const,
    question: question.question,
    call: call.callId,
    uses: question.tool,
    title: question.title,
  }))
  return { gates, questions }
}

/** One sentence for each thing that is open. */
export function waitsLine(view: RunView): string {
  const gates = view.calls
    .filter((call) => call.kind === 'gate' && call.status === 'waiting')
    .map(({ callId, label, title, options = [] }) => {
      const choices = options.map((option) => `“${oneLine(option)}”`).join(' or ')
      return ` Gate ${callId} “${oneLine(label ?? title)}” is open: decide with workflow_decide, choice ${choices}.`
    })
  const questions = openQuestions(view).map(
    ({ call, question }) => ` Call ${call.callId} asks for “${oneLine(question.title)}”: answer with workflow_answer, allow or deny.`,
  )
  return needsPerson(view) ? [...gates, ...questions].join('') : ''
}
