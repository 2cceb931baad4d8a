/**
 * Makes the runner of a profile. Each backend is loaded when its first call comes, so that starting a run costs nothing for
 * agents that it does not use. A new backend is one line here.
 */
import type { Backend, Profile, ProfileOf } from '../../shared/contract/agents.ts'
import type { AgentRunner, MakeRunner, RunnerDeps } from './agent-runner.ts'
import { makeShellRunner } from './shell.ts'

type Loaders = { readonly [B in Backend]: () => Promise<MakeRunner<B>> }

const LOADERS: Loaders = {
  shell: async () => makeShellRunner, // small, and there for checks anyway
  claude: async () => (await import('./claude/claude.ts')).makeClaudeRunner,
  codex: async () => (await import('./codex/codex.ts')).makeCodexRunner,
  simulated: async () => (await import('./simulated.ts')).makeSimulatedRunner,
  command: async () => (await import('./command/command-agent.ts')).makeCommandRunner,
  acp: async () => (await import('./acp/acp.ts')).makeAcpRunner,
  api: async () => (await import('./api/api.ts')).makeApiRunner,
}

export async function makeRunner(profile: Profile, deps: RunnerDeps): Promise<AgentRunner> {
  const make = await loader(profile.backend)
  return make(profile, deps)
}

async function loader<B extends Backend>(backend: B): Promise<(profile: Profile, deps: RunnerDeps) => AgentRunner> {
  const make = await LOADERS[backend]()
  return (profile, deps) => make(profile as ProfileOf<B>, deps) // the caller took the loader by this profile's backend
}
