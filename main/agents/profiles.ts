/** What is known of profiles before any file is read: those built in, how many calls at once suit a backend, the models that a call may name. */
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { type AGENT_SOURCES, type Backend, Profile } from '../../shared/contract/agents.ts'
import { KNOWN_MODELS } from './agent-names.ts'

export type ProfileSource = Exclude<(typeof AGENT_SOURCES)[number], 'definition'>

/** A profile with where it comes from. `file` is null for a built-in one. */
export interface SourcedProfile {
  profile: Profile
  source: ProfileSource
  file: string | null
}

/** Agents that are there without any set-up: the first two always, the others when their program is. */
export const BUILT_IN: readonly Profile[] = [
  { name: 'shell', backend: 'shell', permissions: 'full' },
  { name: 'simulated', backend: 'simulated', permissions: 'ask', readOnly: true },
  {
    name: 'claude',
    backend: 'claude',
    permissions: 'ask',
    models: ['claude-*'],
  },
  {
    name: 'codex',
    backend: 'codex',
    permissions: 'ask',
    models: ['gpt-*', 'o3*', 'o4*', 'codex-*'],
  },
  {
    name: 'gemini',
    backend: 'acp',
    command: 'gemini',
    args: ['--acp', '--skip-trust'],
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    permissions: 'ask',
    models: ['gemini-*'],
  },
  {
    name: 'opencode',
    backend: 'acp',
    command: 'opencode',
    args: ['acp'],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
    permissions: 'ask',
    models: ['*/*'],
  },
].map((profile) => Profile.parse(profile))

/** The program that a backend starts when its profile names none; null for those that start none of their own. */
export function programOf(profile: Profile): string | null {
  if (profile.command !== undefined) return profile.command
  return USUAL[profile.backend]
}

const USUAL: Readonly<Record<Backend, string | null>> = {
  shell: null,
  simulated: null,
  command: null,
  claude: 'claude',
  codex: 'codex',
  acp: null,
  api: null,
}

/** Programs of which each call is a heavy process of its own. */
const HEAVY = new Set(['opencode', 'claude-agent-acp'])

/** How many of its calls run at once: as the profile says, else a heavy program on each core, others 16. */
export function defaultConcurrency(profile: Profile, cores = availableParallelism()): number {
  const heavy = profile.backend === 'claude' || (profile.backend === 'acp' && HEAVY.has(basename(profile.command)))
  return profile.concurrency ?? (heavy ? Math.max(2, cores) : 16)
}

/**
 * The model to ask for, in the backend's own words; null = the backend's own choice.
 * @param named what the call or its definition names
 * @returns `unknown` when the profile does not have it
 */
export function modelFor(profile: Profile, named: string | undefined): { model: string | null } | 'unknown' {
  const own = profile.model ?? null
  if (named === undefined || named === 'inherit') return { model: own }
  const pairs = new Map((profile.models ?? []).map((entry) => mapping(entry) ?? [entry, entry]))
  const mapped = pairs.get(named)
  if (mapped !== undefined) return { model: mapped }
  // Claude knows these names itself; to any other they mean its usual model.
  if (isKnownModel(named)) return { model: profile.backend === 'claude' ? named : own }
  const listed = named === own || [...pairs.keys()].some((entry) => matches(entry, named))
  return listed || profile.backend === 'simulated' ? { model: named } : 'unknown'
}

/** Names that a call may give, for people. */
export function modelNames(profile: Profile): string[] {
  const listed = (profile.models ?? []).map((entry) => mapping(entry)?.[0] ?? entry)
  return [...new Set([...KNOWN_MODELS, ...(profile.model === undefined ? [] : [profile.model]), ...listed])]
}

function isKnownModel(name: string): boolean {
  return KNOWN_MODELS.some((known) => known === name)
}

function mapping(entry: string): [string, string] | null {
  const at = entry.indexOf('=')
  return at > 0 && isKnownModel(entry.slice(0, at)) ? [entry.slice(0, at), entry.slice(at + 1)] : null
}

function matches(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(name)
}

export function modelUnknownText(name: string, profile: Profile): string {
  const known = modelNames(profile).join(', ')
  return `There is no model "${name}" for the agent "${profile.name}". Use one of ${known}, or add it to the profile's "models"`
}
