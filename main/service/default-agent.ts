/** The agent for calls that name none: chosen by the person, and known and there before anything runs. */
import { AppError } from '../../shared/errors.ts'
import { BUILT_IN_PROFILES } from '../agents/agent-names.ts'

const CHOICES = '--agent simulated (free, answers are made up), or one that “reprise agents” lists'

/**
 * @param data the app's data folder
 * @throws AppError `agent-unknown` for a name that no agent has, `agent-unreachable` when its program is not on this machine,
 * `profile-invalid` when it is written down and wrong
 */
export async function checkDefaultAgent(agent: string | undefined, project: string, data: string): Promise<void> {
  if (agent === undefined || BUILT_IN_PROFILES.some((profile) => profile === agent)) return
  const [{ Catalog }, { BUILT_IN, programOf }, { Programs }] = await Promise.all([
    import('../agents/catalog.ts'),
    import('../agents/profiles.ts'),
    import('../agents/programs.ts'),
  ])
  const programs = new Programs({ project, data })
  const catalog = await Catalog.read({ project, data, programs })
  // One that is built in is not in the list while its program is not found.
  const profile = catalog.profile(agent)?.profile ?? BUILT_IN.find(({ name }) => name === agent)
  if (profile === undefined) {
    const problem = catalog.problemOf(agent)
    if (problem !== null) throw problem
    const others = catalog.profiles.map(({ profile }) => profile.name).filter((name) => name !== 'simulated')
    throw new AppError(
      'agent-unknown',
      `There is no agent “${agent}”. Choose --agent simulated (free, answers are made up) or ${others.length === 1 ? '' : 'one of '}${others.join(', ')}.`,
      {
        data: { name: agent, known: catalog.profiles.map(({ profile }) => profile.name) },
      },
    )
  }
  const program = programOf(profile)
  if (program !== null) await programs.find(program)
}

export function agentUnset(path: string): AppError {
  return new AppError('agent-unset', `${path} leaves the agent to you. Choose ${CHOICES}.`)
}
