/**
 * The agents of one attempt: which runner answers a call, made when its first call comes and kept to the end. What the files of
 * profiles say is read once, so that an attempt does not change its mind half way.
 */
import type { Profile } from '../../shared/contract/agents.ts'
import type { DeadReason, RunChoices } from '../../shared/run/record.ts'
import type { AgentRequest } from '../engine/ports.ts'
import type { AgentRunner } from './agent-runner.ts'
import { Catalog, type Choice } from './catalog.ts'
import { makeRunner } from './make-runner.ts'
import { defaultConcurrency, programOf } from './profiles.ts'
import { Programs } from './programs.ts'

/** Why a call is not started at all. */
export interface Refusal {
  refused: Extract<DeadReason, 'unknown-agent' | 'unknown-model' | 'worktree-failed' | 'refused' | 'agent-error'>
  detail: string
}

/** The runner of a call, and how it is to work. */
export interface Resolved extends Choice {
  runner: AgentRunner
}

export interface Runners {
  resolve(request: AgentRequest): Promise<Resolved | Refusal>
  /** Reads what the files say, so that `lane` can tell. */
  load(): Promise<void>
  /** The profile that would take a request, and how many calls it does at once; null when nobody would, or nothing is loaded. */
  lane(request: Pick<AgentRequest, 'agentType'>): { name: string; slots: number } | null
  /** US dollars that all agents may cost in one day; null for no limit. */
  maxCostPerDay(): Promise<number | null>
  /** The PATH of agents' processes. */
  path(): Promise<string>
  /** Ends what runners keep between calls. No call is at work then. */
  close(): Promise<void>
}

export interface RunnersOptions {
  project: string
  /** The app's data folder. */
  data: string
  /** The name of a profile, or null when none was chosen. */
  defaultAgent: string | null
  /** Whether the project's file of profiles, of this hash, may start programs. Absent: it may. */
  isTrusted?: (sha256: string) => boolean
  env?: Readonly<Record<string, string | undefined>>
  /** What a person chose for all calls. */
  choices?: RunChoices
}

export function agentRunners(options: RunnersOptions): Runners {
  const { project, data, defaultAgent, isTrusted = () => true, env = process.env, choices = {} } = options
  const made = new Map<string, Promise<AgentRunner>>()
  const programs = new Programs({ project, data, env })
  let read: Promise<Catalog> | null = null
  let loaded: Catalog | null = null
  const catalog = (): Promise<Catalog> => {
    read ??= Catalog.read({ project, data, programs })
    return read
  }

  function runnerOf(profile: Profile): Promise<AgentRunner> {
    const known = made.get(profile.name)
    if (known !== undefined) return known
    const runner = makeRunner(profile, { project, data, executable: (usual) => programs.find(programOf(profile) ?? usual) })
    made.set(profile.name, runner)
    return runner
  }

  return {
    async resolve(request) {
      const agents = await catalog()
      const choice = agents.choose(request, defaultAgent, choices)
      if ('refused' in choice) return choice
      const { projectFile } = agents
      if (choice.source === 'project' && projectFile?.sha256 != null && !isTrusted(projectFile.sha256))
        return { refused: 'refused', detail: untrustedText(choice.profile.name, projectFile.path) }
      return { ...choice, runner: await runnerOf(choice.profile) }
    },
    async load() {
      loaded = await catalog()
    },
    lane(request) {
      const choice = loaded?.choose(request, defaultAgent)
      return choice === undefined || 'refused' in choice ? null : { name: choice.profile.name, slots: defaultConcurrency(choice.profile) }
    },
    maxCostPerDay: async () => (await catalog()).maxCostPerDay,
    path: () => programs.path(),
    async close() {
      const runners = await Promise.allSettled(made.values())
      await Promise.allSettled(runners.map((one) => (one.status === 'fulfilled' ? one.value.close?.() : undefined)))
    },
  }
}

function untrustedText(name: string, file: string): string {
  return `The agent "${name}" comes from ${file}, which is not trusted as it is now. Read it, then start or resume with --yes`
}
