/** The options that `resume` and `plan` share: what to reuse, and what is different from the time before. */
import { resolve } from 'node:path'
import type { PermissionMode } from '../../shared/contract/agents.ts'
import type { RunId } from '../../shared/ids.ts'
import { RESUME_POLICIES, type ResumePolicy } from '../../shared/run/record.ts'
import { MOST_STALL_MINUTES } from '../../shared/run/stall.ts'
import type { ResumeOptions } from '../service/service.ts'
import { ARGS_OPTIONS, type GivenArgs, readArgs } from './args-input.ts'
import { callNumber } from './call-reference.ts'
import type { Options } from './command.ts'
import type { Context } from './context.ts'

/** What can be chosen for all calls of a run, at its start and at each resume. */
export const CHOICE_OPTIONS = {
  model: { kind: 'text', value: 'NAME', help: 'Model for calls that name none' },
  permissions: {
    kind: 'choice',
    choices: ['ask', 'allow-listed', 'full'] as const satisfies readonly PermissionMode[],
    help: 'Put each use of a tool to you (ask), allow what profiles list and deny the rest, or allow everything',
  },
  'stall-after': {
    kind: 'count',
    value: 'MINUTES',
    help: 'Minutes without a sign of life after which an agent is taken as stuck; 0 for never',
    min: 0,
    max: MOST_STALL_MINUTES,
  },
} as const satisfies Options

export const RESUME_OPTIONS = {
  policy: {
    kind: 'choice',
    choices: RESUME_POLICIES,
    help: 'Reuse every unchanged call (content, the default), those up to the first change, or none',
  },
  from: { kind: 'text', value: 'CALL', help: 'Run this call again and all made after it: its number or label' },
  'in-flight': {
    kind: 'choice',
    choices: ['repeat', 'skip', 'stop', 'continue'],
    help: 'What to do with calls that were cut off; continue: in their agents’ own sessions, where they can',
  },
  ...ARGS_OPTIONS,
  file: { kind: 'text', value: 'FILE', help: 'Run this script instead of the one before' },
  agent: { kind: 'text', value: 'NAME', help: 'Agent for calls that name none' },
  ...CHOICE_OPTIONS,
  concurrency: { kind: 'count', value: 'N', help: 'Calls at once, 1 to 16', min: 1, max: 16 },
  budget: {
    kind: 'count',
    value: 'N',
    help: 'Output tokens that the run may spend in all (500000 or 500k)',
    min: 1,
    max: 1e12,
    scaled: true,
  },
  'max-cost': { kind: 'money', value: 'USD', help: 'US dollars that the run may spend in all (5 or 2.50)' },
} as const satisfies Options

export interface GivenResume extends GivenArgs {
  policy: ResumePolicy | undefined
  from: string | undefined
  'in-flight': 'repeat' | 'skip' | 'stop' | 'continue' | undefined
  file: string | undefined
  agent: string | undefined
  model: string | undefined
  concurrency: number | undefined
  permissions: PermissionMode | undefined
  'stall-after': number | undefined
  budget: number | undefined
  'max-cost': number | undefined
}

export function stallMs(minutes: number): number | null {
  return minutes === 0 ? null : minutes * 60_000
}

/** Reads the options of one command line. */
export async function resumeOptions(context: Context, project: string, runId: RunId, given: GivenResume): Promise<ResumeOptions> {
  const options: ResumeOptions = { project, ...(await readArgs(given, context.io)) }
  if (given.policy !== undefined) options.policy = given.policy
  if (given['in-flight'] !== undefined) options.inFlight = given['in-flight']
  if (given.file !== undefined) options.file = resolve(context.io.cwd, given.file)
  if (given.agent !== undefined) options.agent = given.agent
  if (given.concurrency !== undefined) options.concurrency = given.concurrency
  if (given.model !== undefined) options.model = given.model
  if (given.permissions !== undefined) options.permissions = given.permissions
  if (given['stall-after'] !== undefined) options.stallMs = stallMs(given['stall-after'])
  if (given.budget !== undefined) options.budget = given.budget
  if (given['max-cost'] !== undefined) options.maxCost = given['max-cost']
  if (given.from !== undefined) options.from = callNumber(await (await context.service()).show(project, runId), given.from)
  return options
}
