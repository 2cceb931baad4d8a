/** `reprise run`: checks a workflow, asks for trust where it is due, starts it and follows it to its end. */
import { AppError } from '../../../shared/errors.ts'
import type { RequestId } from '../../../shared/ids.ts'
import { agentUnset } from '../../service/default-agent.ts'
import type { LaunchOptions, Target } from '../../service/service.ts'
import { ARGS_OPTIONS, readArgs } from '../args-input.ts'
import { command, RUN_EXITS } from '../command.ts'
import type { Context } from '../context.ts'
import { refuseErrors } from '../diagnostics.ts'
import { finishDryRun } from '../dry-run.ts'
import { followRun } from '../follow-run.ts'
import { meantFile } from '../meant-file.ts'
import { CHOICE_OPTIONS, stallMs } from '../resume-options.ts'
import { shownPath } from '../shown-path.ts'
import { targetOf } from '../target.ts'
import { confirmTrust } from '../trust.ts'

export const runCommand = command({
  name: 'run',
  purpose: 'Start a workflow and follow it to its end',
  operands: { usage: '<file|name>', min: 1, max: 1, needs: 'a script file or the name of a workflow' },
  notes: [
    'A word with a path separator or the ending of a script is a file; any other is a workflow from .claude/workflows.',
    'The return value goes to stdout, everything else to stderr. Ctrl-C once stops and keeps what is finished, twice stops at once.',
  ],
  options: {
    ...ARGS_OPTIONS,
    budget: { kind: 'count', value: 'N', help: 'Output tokens that the run may spend (500000 or 500k)', min: 1, max: 1e12, scaled: true },
    'max-cost': { kind: 'money', value: 'USD', help: 'US dollars that the run may spend (5 or 2.50)' },
    concurrency: { kind: 'count', value: 'N', help: 'Calls at once, 1 to 16', min: 1, max: 16 },
    'max-agents': { kind: 'count', value: 'N', help: 'Calls in the whole run; 1000 by default', min: 1, max: 100_000 },
    agent: { kind: 'text', value: 'NAME', help: 'Agent for calls that name none; “simulated” starts nothing real' },
    ...CHOICE_OPTIONS,
    workspace: {
      kind: 'choice',
      help: 'Where agents work: in the project, or in a git worktree of the run',
      choices: ['current', 'worktree'],
    },
    title: { kind: 'text', value: 'TEXT', help: 'Name of the run in lists' },
    'dry-run': { kind: 'flag', help: 'Start nothing real and save nothing: show each call that would be made, and an estimate' },
    yes: { kind: 'flag', short: 'y', help: 'Trust this text without asking' },
    'request-id': { kind: 'text', value: 'ID', help: 'The same id given again starts nothing and shows the run it made' },
  },
  exits: RUN_EXITS,
  examples: [
    { line: 'reprise run triage --arg label=bug', does: 'Run a named workflow with { "label": "bug" } as its input' },
    { line: 'reprise run ./review.ts --agent simulated', does: 'Try a script; no agent is started and nothing is spent' },
    { line: 'reprise run triage --dry-run', does: 'See what would be asked, without asking it' },
    { line: 'reprise run triage --json --yes > out.json', does: 'Run from a program and read one JSON document' },
  ],
  async run([word = ''], given, context) {
    const target = targetOf(word, context.io.cwd)
    const project = await context.project()
    const args = await readArgs(given, context.io)
    const requestId = await checkedRequestId(given['request-id'])
    const service = await context.service()
    const dryRun = given['dry-run']
    const seen = await preflight(context, project, word, target, given, dryRun)
    const options: LaunchOptions = { project, requestId, ...seen, ...args, whenWaiting: context.canAsk ? 'stay' : 'leave' }
    if (given.title !== undefined) options.title = given.title
    if (given.budget !== undefined) options.budget = given.budget
    if (given['max-cost'] !== undefined) options.maxCost = given['max-cost']
    if (given.concurrency !== undefined) options.concurrency = given.concurrency
    if (given['max-agents'] !== undefined) options.maxAgents = given['max-agents']
    if (given.workspace !== undefined) options.workspace = given.workspace
    if (given.agent !== undefined) options.agent = given.agent
    if (given.model !== undefined) options.model = given.model
    if (given.permissions !== undefined) options.permissions = given.permissions
    if (given['stall-after'] !== undefined) options.stallMs = stallMs(given['stall-after'])
    if (!dryRun) return followRun(context, () => service.launch(target, options))
    options.dryRun = true
    return followRun(context, () => service.launch(target, options), { finish: finishDryRun, asks: false })
  },
})

async function checkedRequestId(text: string | undefined): Promise<RequestId> {
  const { RequestId } = await import('../../../shared/ids.ts')
  const parsed = RequestId.safeParse(text ?? Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex'))
  if (parsed.success) return parsed.data
  throw new AppError('usage', `--request-id takes 1 to 128 letters, digits, _ or -; got “${text ?? ''}”. See: reprise help run`)
}

/** Checks the text and asks for trust. Returns the hash of the text that was looked at. */
async function preflight(
  context: Context,
  project: string,
  word: string,
  target: Target,
  given: { agent: string | undefined; yes: boolean; 'request-id': string | undefined },
  dryRun: boolean,
): Promise<{ seenSha256?: string }> {
  const service = await context.service()
  const { agent, yes } = given
  try {
    const found = await service.preflight(project, target, agent)
    const path = shownPath(found.path, context.io.cwd)
    refuseErrors(context, path, found.diagnostics)
    if (dryRun) return { seenSha256: found.sha256 } // which can touch nothing
    // Before trust: simulated asks for none, and a text is not trusted for a run that can't be.
    if (agent === undefined && found.agentLeftBy !== null) throw agentUnset(shownPath(found.agentLeftBy, context.io.cwd))
    await confirmTrust(context, found, yes)
    return { seenSha256: found.sha256 }
  } catch (thrown) {
    // A request that already made its run is answered with that run, also when the file has gone since.
    const isGone = thrown instanceof AppError && (thrown.code === 'file-missing' || thrown.code === 'workflow-unknown')
    if (given['request-id'] !== undefined && isGone) return {}
    throw await meantFile(thrown, word, context.io.cwd, project)
  }
}
