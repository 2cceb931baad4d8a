/** Which runner answers a call: the agent that it names, or the run's default agent. */
import type { DeadReason } from '../../shared/run/record.ts'
import type { AgentRequest } from '../engine/ports.ts'
import { agentUnknownText, BUILT_IN_PROFILES, KNOWN_MODELS, knownAgentTypes, modelUnknownText } from './agent-names.ts'
import type { AgentRunner } from './agent-runner.ts'
import { ShellRunner } from './shell.ts'
import { SimulatedRunner } from './simulated.ts'

/** Why a call is not started at all. */
export interface Refusal {
  refused: Extract<DeadReason, 'unknown-agent' | 'unknown-model' | 'worktree-failed'>
  detail: string
}

export interface Runners {
  resolve(request: AgentRequest): Promise<AgentRunner | Refusal>
}

/** The agents that are always there. `defaultAgent` is the name of one of them, or null when none was chosen. */
export function builtInRunners(options: { project: string; defaultAgent: string | null }): Runners {
  const profiles = new Map<string, AgentRunner>([
    ['shell', new ShellRunner()],
    ['simulated', new SimulatedRunner()],
  ])
  return {
    async resolve(request) {
      const runner = profiles.get(request.agentType ?? '') ?? (await byDefault(request))
      if ('refused' in runner || request.model === undefined || runner.backend === 'simulated') return runner
      const known = KNOWN_MODELS.some((model) => model === request.model)
      return known ? runner : { refused: 'unknown-model', detail: modelUnknownText(request.model) }
    },
  }

  async function byDefault(request: AgentRequest): Promise<AgentRunner | Refusal> {
    if (request.agentType !== undefined) {
      const known = await knownAgentTypes(options.project)
      if (!known.includes(request.agentType)) return { refused: 'unknown-agent', detail: agentUnknownText(request.agentType, known) }
    }
    const runner = options.defaultAgent === null ? undefined : profiles.get(options.defaultAgent)
    if (runner !== undefined) return runner
    const wanted = options.defaultAgent === null ? 'No default agent is chosen' : `The default agent "${options.defaultAgent}" is not known`
    return { refused: 'unknown-agent', detail: `${wanted}. Choose one of ${BUILT_IN_PROFILES.join(', ')}` }
  }
}
