/** The agent for calls that name none: chosen by the person, and known before anything runs. */
import { AppError } from '../../shared/errors.ts'
import { BUILT_IN_PROFILES } from '../agents/agent-names.ts'

const CHOICES = '--agent simulated (free, answers are made up) or --agent shell'

/** @throws AppError `agent-unknown` for a name that no agent has */
export function checkDefaultAgent(agent: string | undefined): void {
  if (agent === undefined || BUILT_IN_PROFILES.some((profile) => profile === agent)) return
  throw new AppError('agent-unknown', `There is no agent “${agent}”. Choose ${CHOICES}.`, {
    data: { name: agent, known: [...BUILT_IN_PROFILES] },
  })
}

export function agentUnset(path: string): AppError {
  return new AppError('agent-unset', `${path} leaves the agent to you. Choose ${CHOICES}.`)
}
