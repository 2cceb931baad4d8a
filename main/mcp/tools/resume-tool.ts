/** `workflow_resume`: the next attempt of a run. What is saved is replayed, the rest runs. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import type { Json } from '../../../shared/json.ts'
import { RESUME_POLICIES } from '../../../shared/run/record.ts'
import { callNumber } from '../../cli/call-reference.ts'
import type { ResumeOptions } from '../../service/service.ts'
import { given } from '../given.ts'
import { insideProject } from '../inside-project.ts'
import { resumeRun } from '../resume-run.ts'
import { runUri } from '../run-report.ts'
import type { ServerContext } from '../server-context.ts'
import { answer } from '../tool-answer.ts'

export const ResumeInput = z.strictObject({
  run: z.string().min(1).max(200).describe('An id, the beginning of one, a number, or “last”'),
  policy: z
    .enum(RESUME_POLICIES)
    .optional()
    .describe('Reuse every unchanged call (content, the default), those up to the first change (prefix), or none'),
  from: z
    .union([z.int().min(1), z.string().min(1)])
    .optional()
    .describe('Run this call again and all made after it: its number or label'),
  in_flight: z
    .enum(['repeat', 'skip', 'stop', 'continue'])
    .optional()
    .describe('What to do with calls that were running when the run was cut off'),
  args: z.unknown().optional().describe('Other input than before, any JSON value'),
  path: z.string().min(1).optional().describe('Run this script of the project instead of the one before'),
  agent: z.string().min(1).optional().describe('Agent for calls that name none'),
  budget: z.int().min(1).max(1e12).optional().describe('Output tokens that the run may spend in all'),
  max_cost: z.number().positive().optional().describe('US dollars that the run may spend in all'),
  model: z.string().min(1).optional().describe('Model for calls that name none'),
  concurrency: z.int().min(1).max(16).optional().describe('Calls at once'),
})

export const ResumeAnswer = z.object({ runId: z.string(), number: z.number(), resource: z.string() })

export async function resumeWorkflow(context: ServerContext, input: z.infer<typeof ResumeInput>): Promise<CallToolResult> {
  const { service, project } = context
  const runId = await service.resolveRun(project, input.run)
  const options: ResumeOptions = {
    project,
    ...given({
      policy: input.policy,
      inFlight: input.in_flight,
      agent: input.agent,
      model: input.model,
      budget: input.budget,
      maxCost: input.max_cost,
      concurrency: input.concurrency,
    }),
    ...(input.args !== undefined && { args: input.args as Json }), // it came as JSON
  }
  if (input.path !== undefined) options.file = await insideProject(context, input.path)
  if (input.from !== undefined) options.from = callNumber(await service.show(project, runId), String(input.from))
  const { number } = await resumeRun(context, runId, options)
  return answer({ runId, number, resource: runUri(runId) }, `Going on with run #${number} (${runId}). See its end with workflow_wait.`)
}
