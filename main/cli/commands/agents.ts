/** `reprise agents`: which agents are set up, whether they are found and answer, and their secrets. */
import type { AgentInfo, Today } from '../../../shared/contract/agents.ts'
import { AppError } from '../../../shared/errors.ts'
import { command } from '../command.ts'
import type { Context } from '../context.ts'
import { oneLine } from '../text/printable.ts'
import { type Cell, type Column, table } from '../text/table.ts'

const HEAD: readonly Column[] = [
  { title: 'Agent' },
  { title: 'Kind', leaves: 2 },
  { title: 'State' },
  { title: 'Version', shrinksTo: 8, leaves: 4 },
  { title: 'Permissions', leaves: 3 },
  { title: 'At once', align: 'right', leaves: 1 },
  { title: 'From', leaves: 0 },
]

const STATE_WORDS: Readonly<Record<AgentInfo['state'], string>> = {
  ready: 'ready',
  'not-found': 'not found',
  'signed-out': 'signed out',
  unknown: 'unknown',
}

type Probed = AgentInfo & { test?: { ok: boolean; detail: string; ms: number } }

export const agentsCommand = command({
  name: 'agents',
  purpose: 'List the agents that are set up, and what is found of them',
  operands: { usage: '', min: 0, max: 0, needs: '' },
  notes: [
    'Profiles come from settings.json of the app and from .claude/reprise.json of the project, definitions from .claude/agents.',
    'A secret is read from stdin and kept in a file of the data folder that you alone can read (mode 600); nothing else protects it.',
    'Exit code 1 when a probed agent does not answer.',
  ],
  options: {
    probe: { kind: 'flag', help: 'Ask each agent one tiny question; this may cost a little' },
    only: { kind: 'text', value: 'NAME', help: 'Only this agent' },
    'set-secret': { kind: 'text', value: 'AGENT.NAME', help: 'Keep a secret, such as local.API_KEY, for an agent’s environment' },
    'forget-secret': { kind: 'text', value: 'AGENT.NAME', help: 'Forget it' },
  },
  examples: [
    { line: 'reprise agents', does: 'What is there' },
    { line: 'reprise agents --probe --only claude', does: 'Whether Claude answers' },
    { line: 'reprise agents --set-secret local.API_KEY < key.txt', does: 'Keep a key for the agent “local”' },
  ],
  async run(_, given, context) {
    if (given['set-secret'] !== undefined) return changeSecret(context, given['set-secret'], await secretFrom(context))
    if (given['forget-secret'] !== undefined) return changeSecret(context, given['forget-secret'], null)
    const project = await context.project()
    const service = await context.service()
    const { agents, problems } = await service.agents(project, given.probe)
    const listed: Probed[] = given.only === undefined ? agents : agents.filter(({ name }) => name === given.only)
    if (listed.length === 0)
      throw new AppError('agent-unknown', `There is no agent “${oneLine(given.only ?? '')}”. List them with: reprise agents`)
    if (given.probe) {
      for (const agent of listed) {
        if (agent.backend === null || agent.state === 'not-found') continue
        context.note(`Asking ${agent.name} …`)
        agent.test = await service.testAgent(project, agent.name)
      }
    }
    // After the probes, which cost a little.
    const today = await service.today(project)
    if (context.forPrograms) context.document({ agents: listed, problems, today })
    else {
      show(context, listed, problems)
      if (today.cost > 0) context.answer(todayLine(today))
    }
    return listed.some(({ test }) => test?.ok === false) ? 1 : 0
  },
})

function show(context: Context, agents: readonly Probed[], problems: readonly string[]): void {
  const { ink, io } = context
  const rows = agents.map((agent): Cell[] => {
    const tone = agent.test?.ok === true ? 'completed' : agent.test?.ok === false || agent.state === 'not-found' ? 'failed' : 'queued'
    const word =
      agent.test === undefined
        ? STATE_WORDS[agent.state]
        : agent.test.ok
          ? `answers in ${(agent.test.ms / 1000).toFixed(1)} s`
          : 'does not answer'
    return [
      { text: agent.name },
      { text: agent.backend ?? 'definition' },
      { text: word, paint: (text) => ink.out.tone(tone, text) },
      { text: oneLine(agent.version ?? '') },
      { text: agent.backend === null ? '' : agent.permissions },
      { text: agent.backend === null ? '' : String(agent.concurrency) },
      { text: agent.source },
    ]
  })
  context.answer(table(HEAD, rows, io.isTty.stdout ? io.stdout.columns || 80 : null).join('\n'))
  for (const { name, detail, test, secrets, source } of agents) {
    if (test !== undefined && !test.ok) context.answer(`${name}: ${oneLine(test.detail)}`)
    else if (detail !== null && source !== 'definition') context.answer(`${name}: ${oneLine(detail)}`)
    if (secrets.length > 0) context.answer(`${name}: secrets set: ${secrets.join(', ')}`)
  }
  for (const problem of problems) context.warn(`${ink.err.tone('failed', 'Problem')}  ${oneLine(problem)}`)
}

function todayLine({ cost, limit }: Today): string {
  return `Today: $${cost.toFixed(2)}${limit === null ? '' : ` of $${limit.toFixed(2)}`} for all agents together.`
}

async function secretFrom(context: Context): Promise<string> {
  const value = await context.asker.ask(context.canAsk ? 'The secret (shown as you type): ' : '', 'as-typed')
  if (value === '') throw new AppError('usage', 'No secret came on stdin, so nothing was kept. See: reprise help agents')
  return value
}

async function changeSecret(context: Context, place: string, value: string | null): Promise<number> {
  const at = place.lastIndexOf('.')
  const [profile, name] = [place.slice(0, at), place.slice(at + 1)]
  if (at < 1 || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new AppError('usage', `A secret is named AGENT.NAME, such as local.API_KEY; got “${oneLine(place)}”. See: reprise help agents`)
  await (await context.service()).setSecret(profile, name, value)
  context.note(value === null ? `${name} of ${profile} is forgotten.` : `${name} of ${profile} is kept, in a file that you alone can read.`)
  return 0
}
