/** The agents of a project's and the person's files, as a launch and a resume look at them. The project's file decides which programs start, so it is trusted by its text like a script. */
import { readProjectProfiles, readUserProfiles } from '../agents/profile-files.ts'
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

/** Profiles that change nothing: what of them was cut off is repeated without a word. @param data the app's data folder */
export async function readersOf(project: string, data: string): Promise<Set<string>> {
  const [user, own] = await Promise.all([readUserProfiles(data), readProjectProfiles(project)])
  // The project's profile of a name counts before the person's.
  const byName = new Map([...user.profiles, ...own.profiles].map(({ profile }) => [profile.name, profile.readOnly === true]))
  return new Set([...byName].filter(([, isReader]) => isReader).map(([name]) => name))
}
