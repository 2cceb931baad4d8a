/** The agents that a project brings along: its file decides which programs start, so it is trusted by its text like a script. */
import { readProjectProfiles } from '../agents/profile-files.ts'
import { programOf } from '../agents/profiles.ts'
import type { CheckedScript } from '../engine/source/check-script.ts'
import type { TrustStore } from '../store/trust-store.ts'
import type { CalledWorkflow } from './service.ts'

export const PROJECT_AGENTS = '.claude/reprise.json'

/** The file as something to trust together with the script; null when it defines no agent, or the script starts none. */
export async function projectAgents(
  { uses }: CheckedScript,
  project: string,
  agent: string | undefined,
  trusted: TrustStore,
): Promise<CalledWorkflow | null> {
  if (agent === 'simulated' || !uses.hooks.includes('agent')) return null
  const { path, sha256, profiles } = await readProjectProfiles(project)
  if (sha256 === null || profiles.length === 0) return null
  const starts = profiles.map(({ profile }) => {
    const rights = profile.permissions === 'full' ? ', asks nothing' : ''
    return `“${profile.name}” (${[programOf(profile) ?? profile.backend, ...(profile.args ?? [])].join(' ')}${rights})`
  })
  const why = `this project's ${PROJECT_AGENTS} sets up its agents: ${starts.join(', ')}`
  return { name: PROJECT_AGENTS, path, sha256, trustNeeded: trusted.isTrusted(sha256) ? null : why }
}
