/** The `acp` backend: any agent program that speaks the Agent Client Protocol on its pipes, one process a call. */
import type { ProfileOf } from '../../../shared/contract/agents.ts'
import type { AgentRunner, RunnerDeps } from '../agent-runner.ts'
import { knownAgent } from './known-agents.ts'

export function makeAcpRunner(profile: ProfileOf<'acp'>, deps: RunnerDeps): AgentRunner {
  const known = knownAgent(profile.command, profile.args)
  return {
    backend: 'acp',
    streams: true,
    continues: true,
    async run(call, context) {
      const { runAcpCall } = await import('./acp-call.ts')
      const model = known.modelFlag === undefined || call.model === undefined ? [] : [known.modelFlag, call.model]
      const agent = {
        file: await deps.executable(profile.command),
        args: [...(profile.args ?? known.args), ...model],
        known,
        mode: profile.mode ?? (call.readOnly ? known.lookingMode : null) ?? known.mode,
        modeIsAsked: profile.mode !== undefined,
        authMethod: profile.options.authMethod,
        allowedTools: profile.allowedTools ?? [],
        config: profile.options.sessionConfig ?? {},
      }
      return runAcpCall(agent, call, context)
    },
  }
}
