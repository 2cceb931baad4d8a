/** The tools that only look: `workflow_status`, `workflow_wait`, `workflow_list`. They write nothing. */
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { runState } from '../../../shared/run/status.ts'
import { RUN_STATUSES, type RunSummary } from '../../../shared/run/view.ts'
import { plural } from '../../cli/text/amounts.ts'
import { oneLine } from '../../cli/text/printable.ts'
import { given } from '../given.ts'
import { isOver, reportLine, runReport } from '../run-report.ts'
import type { ServerContext } from '../server-context.ts'
import { answer } from '../tool-answer.ts'
import { type Step, waitForEnd } from '../wait-for-end.ts'
import { needsPerson } from '../waits-for-you.ts'
import type { WorkflowCatalog } from '../workflow-catalog.ts'

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

const run = z.string().min(1).max(200).default('last').describe('An id, the beginning of one, a number, or “last”')

export const StatusInput = z.strictObject({ run })

export async function workflowStatus(context: ServerContext, input: z.infer<typeof StatusInput>): Promise<CallToolResult> {
  const { service, project } = context
  const view = await service.show(project, await service.resolveRun(project, input.run))
  return answer(await runReport(context, view), reportLine(view))
}

export const WaitInput = z.strictObject({
  run,
  to_the_end: z.boolean().default(false).describe('Wait on although the run waits for a person, who decides elsewhere'),
  timeout_seconds: z.number().min(0).max(3600).default(50).describe('Answer after so long at the latest, also when the run goes on'),
})

export async function workflowWait(context: ServerContext, input: z.infer<typeof WaitInput>, extra: Extra): Promise<CallToolResult> {
  const { service, project } = context
  const view = await waitForEnd(context, await service.resolveRun(project, input.run), {
    timeoutMs: input.timeout_seconds * 1000,
    toTheEnd: input.to_the_end,
    signal: extra.signal,
    tell: (step) => tellProgress(extra, step),
  })
  const more = isOver(view) || needsPerson(view) ? '' : ' Wait again with workflow_wait.'
  return answer(await runReport(context, view), `${reportLine(view)}${more}`)
}

function tellProgress({ _meta, signal, sendNotification }: Extra, { done, asked, message }: Step): void {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined || signal.aborted) return
  const params = { progressToken, progress: done, ...(asked > 0 && { total: asked }), message }
  sendNotification({ method: 'notifications/progress', params }).catch(() => undefined) // a host that has gone needs none
}

export const ListInput = z.strictObject({
  status: z.array(z.enum(RUN_STATUSES)).optional().describe('Only runs in one of these states; killed means stopped'),
  workflow: z.string().min(1).optional().describe('Only runs of this workflow'),
  limit: z.int().min(1).max(200).default(20).describe('At most so many runs'),
})

export const ListAnswer = z.object({
  runs: z
    .array(
      z.object({
        runId: z.string(),
        number: z.number(),
        title: z.string(),
        status: z.enum(RUN_STATUSES),
        state: z.string(),
        attempt: z.number(),
        startedAt: z.string(),
        endedAt: z.string().optional(),
        scriptPath: z.string(),
        problem: z.string().optional().describe('Why the run can’t be opened'),
      }),
    )
    .describe('Newest first'),
  total: z.number(),
  workflows: z
    .array(
      z.object({
        name: z.string(),
        path: z.string(),
        description: z.string().optional(),
        whenToUse: z.string().optional(),
        problem: z.string().optional(),
      }),
    )
    .describe('What workflow_run knows by name'),
})

export async function workflowList(
  context: ServerContext,
  catalog: WorkflowCatalog,
  { status, workflow, limit }: z.infer<typeof ListInput>,
): Promise<CallToolResult> {
  const [{ runs, total }, workflows] = await Promise.all([
    context.service.list(context.project, { limit, ...given({ status, workflow }) }),
    catalog.list(),
  ])
  const names = workflows.length === 0 ? '' : `: ${workflows.map(({ name }) => name).join(', ')}`
  const shown = runs.length < total ? `${runs.length} of ${plural(total, 'run')}` : plural(total, 'run')
  return answer({ runs: runs.map(rowOf), total, workflows }, `${shown}, ${plural(workflows.length, 'workflow')}${names}.`)
}

function rowOf(summary: RunSummary): z.infer<typeof ListAnswer>['runs'][number] {
  const { runId, number, title, status, attempt, startedAt, endedAt, path, sentence, damaged } = summary
  const state = damaged === null ? [runState(summary).word, oneLine(sentence)].filter((part) => part !== '').join(' · ') : 'Unreadable'
  return {
    runId,
    number,
    title,
    status,
    state,
    attempt,
    startedAt: new Date(startedAt).toISOString(),
    ...(endedAt !== null && { endedAt: new Date(endedAt).toISOString() }),
    scriptPath: path,
    ...(damaged !== null && { problem: damaged }),
  }
}
