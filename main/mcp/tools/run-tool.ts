/** `workflow_run`: starts a workflow, or goes on with one, and answers at once. */

import { randomBytes } from 'node:crypto'
import { basename, extname } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { AppError } from '../../../shared/errors.ts'
import { RequestId } from '../../../shared/ids.ts'
import type { Json } from '../../../shared/json.ts'
import type { LaunchOptions, LiveRun, Preflight, Target } from '../../service/service.ts'
import { admit, findings, refuseFaulty } from '../admit.ts'
import { given } from '../given.ts'
import { insideProject } from '../inside-project.ts'
import { resumeRun } from '../resume-run.ts'
import { runUri } from '../run-report.ts'
import { dropText, keepText, writeWorkflow } from '../save-script.ts'
import type { ServerContext } from '../server-context.ts'
import { answer } from '../tool-answer.ts'
import { lookNamed } from '../workflow-catalog.ts'

const MAX_SCRIPT = 4 * 1024 * 1024

export const RunInput = z.strictObject({
  script: z
    .string()
    .min(1)
    .max(MAX_SCRIPT)
    .optional()
    .describe('Text of a workflow. With a name it is saved as that workflow of the project'),
  name: z.string().min(1).max(200).optional().describe('A workflow of .claude/workflows; with script: the new name to save it under'),
  path: z.string().min(1).optional().describe('A script file inside the project'),
  language: z.enum(['js', 'ts']).optional().describe('Of script; js by default'),
  args: z.unknown().optional().describe('Input of the workflow: any JSON value, handed over as it is (an object is not put into a string)'),
  in_flight: z
    .enum(['repeat', 'skip', 'stop', 'continue'])
    .optional()
    .describe('With resumeFromRunId: what to do with calls that were running when the run was cut off'),
  resumeFromRunId: z.string().min(1).optional().describe('Go on with this run: unchanged calls are replayed, not paid again'),
  title: z.string().min(1).max(200).optional().describe('Name of the new run in lists'),
  description: z.string().max(2000).optional().describe('What the run is for, in a few words; its title when there is none'),
  agent: z.string().min(1).optional().describe('Agent for calls that name none; “simulated” starts nothing real and costs nothing'),
  budget: z.int().min(1).max(1e12).optional().describe('Output tokens that the run may spend'),
  max_cost: z.number().positive().optional().describe('US dollars that the run may spend'),
  model: z.string().min(1).optional().describe('Model for calls that name none'),
  concurrency: z.int().min(1).max(16).optional().describe('Calls at once'),
  request_id: RequestId.optional().describe('The same id given again starts nothing and names the run it made'),
})
export type RunInput = z.infer<typeof RunInput>

export const RunAnswer = z.object({
  runId: z.string(),
  number: z.number(),
  existed: z.boolean().describe('The request had made this run before; nothing was started'),
  scriptPath: z.string(),
  scriptSaved: z.boolean().describe('The script was written to scriptPath by this call'),
  warnings: z.array(z.string()),
  resource: z.string(),
  resume: z.object({ tool: z.literal('workflow_resume'), run: z.string(), command: z.string() }),
})

/** The script that is meant, looked at and saved. */
interface Meant {
  target: Target
  path: string
  found: Preflight | null
  isSaved: boolean
}

export async function runWorkflow(context: ServerContext, input: RunInput): Promise<CallToolResult> {
  return input.resumeFromRunId === undefined ? startNew(context, input) : goOn(context, input, input.resumeFromRunId)
}

async function startNew(context: ServerContext, input: RunInput): Promise<CallToolResult> {
  const meant = await scriptOf(context, input)
  if (meant === null)
    throw new AppError('usage', 'Nothing to run. Give script (a text), name (a workflow) or path (a file of the project).')
  const { found } = meant
  if (found !== null) await admit(context, found, input.agent ?? null)
  const options: LaunchOptions = {
    project: context.project,
    requestId: input.request_id ?? RequestId.parse(randomBytes(16).toString('hex')),
    ...given({ ...chosen(input), title: titleOf(input, found) }),
    ...(found !== null && { seenSha256: found.sha256 }),
    ...(input.args !== undefined && { args: input.args as Json }), // it came as JSON
  }
  const run = await context.own.start(() => context.service.launch(meant.target, options))
  return started(context, run, meant, run.existed ? 'This request already made' : 'Started')
}

function chosen({ budget, max_cost: maxCost, concurrency, agent, model }: RunInput) {
  return { budget, maxCost, concurrency, agent, model }
}

async function goOn(context: ServerContext, input: RunInput, reference: string): Promise<CallToolResult> {
  if (input.request_id !== undefined) throw new AppError('usage', 'request_id is for new runs; leave it out with resumeFromRunId.')
  const runId = await context.service.resolveRun(context.project, reference)
  const before = await context.service.show(context.project, runId)
  // The agent of the run decides what the script may name.
  const agent = input.agent ?? before.backend ?? undefined
  const meant = await scriptOf(context, { ...input, agent })
  if (meant?.found) refuseFaulty(meant.found)
  const run = await resumeRun(context, runId, {
    project: context.project,
    ...given({ ...chosen(input), inFlight: input.in_flight, file: meant?.path }),
    ...(input.args !== undefined && { args: input.args as Json }), // it came as JSON
  })
  const path = meant?.path ?? before.path
  return started(context, run, { path, found: meant?.found ?? null, isSaved: meant?.isSaved ?? false }, 'Going on with')
}

function started(context: ServerContext, run: LiveRun, { path, found, isSaved }: Omit<Meant, 'target'>, words: string): CallToolResult {
  const { runId, number, existed } = run
  const structured: z.infer<typeof RunAnswer> = {
    runId,
    number,
    existed,
    scriptPath: path,
    scriptSaved: isSaved,
    warnings: found === null ? [] : findings(found, 'warning'),
    resource: runUri(runId),
    resume: { tool: 'workflow_resume', run: runId, command: context.command(['resume', runId]) },
  }
  const where = isSaved ? `Script saved: ${path}` : `Script: ${path}`
  return answer(
    structured,
    `${words} run #${number} (${runId}). ${where}. See its end with workflow_wait; go on after a stop with workflow_resume.`,
  )
}

/** Null when the input names no script. */
async function scriptOf(context: ServerContext, input: RunInput): Promise<Meant | null> {
  const { script, name, path, agent } = input
  if (path !== undefined && (script !== undefined || name !== undefined)) {
    throw new AppError('usage', 'Give one of script, name and path; only script and name go together.')
  }
  if (script !== undefined) return saved(context, script, name, input)
  if (name !== undefined) {
    const found = await unlessAsked(input, lookNamed(context, name, agent))
    return { target: { name }, path: found?.path ?? name, found, isSaved: false }
  }
  if (path === undefined) return null
  const inside = await insideProject(context, path)
  const found = await unlessAsked(input, context.service.preflight(context.project, { path: inside }, agent))
  return { target: { path: inside }, path: inside, found, isSaved: false }
}

/** A request that made its run before is answered with it, also when the file has gone since. */
async function unlessAsked(input: RunInput, look: Promise<Preflight>): Promise<Preflight | null> {
  return look.catch((thrown: unknown) => {
    const isGone = thrown instanceof AppError && (thrown.code === 'file-missing' || thrown.code === 'workflow-unknown')
    if (isGone && input.request_id !== undefined) return null
    throw thrown
  })
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
/** Would stand beside the type declarations of that name and hide them from editors. */
const TAKEN = 'globals'

/** A text with faults stays in the app's data, to be mended there; only one that can run becomes a workflow of the project. */
async function saved(context: ServerContext, script: string, name: string | undefined, input: RunInput): Promise<Meant> {
  const language = input.language ?? 'js'
  if (name !== undefined && (!NAME.test(name) || name === TAKEN)) {
    throw new AppError(
      'name-invalid',
      `${JSON.stringify(name)} can't be the name of a new workflow. Use 1 to 64 letters, digits, - or _, but not “${TAKEN}”.`,
    )
  }
  const kept = await keepText(context, script, language)
  const found = await context.service.preflight(context.project, { path: kept.path }, input.agent)
  refuseFaulty(found)
  if (name === undefined) return { target: { path: kept.path }, path: kept.path, found, isSaved: kept.isNew }
  const written = await writeWorkflow(context, name, script, language)
  await dropText(kept)
  const again = await context.service.preflight(context.project, { name }, input.agent)
  return { target: { name }, path: written.path, found: again, isSaved: written.isNew }
}

/** A script without a name of its own would be listed by its hash. */
function titleOf({ title, description, script, name }: RunInput, found: Preflight | null): string | undefined {
  const said = title ?? description?.split('\n')[0]?.slice(0, 200).trim()
  if (said) return said
  const isNameless = script !== undefined && name === undefined && found?.title === basename(found?.path ?? '', extname(found?.path ?? ''))
  return isNameless ? 'Untitled script' : undefined
}
