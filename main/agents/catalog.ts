/**
 * Every agent that a call in a project may name: profiles (built in, the person's, the project's, the later ones before the
 * earlier), agent definitions, and roles. Read anew for each look, so that edited files count at once.
 */
import type { PermissionMode, Profile } from '../../shared/contract/agents.ts'
import type { AppError } from '../../shared/errors.ts'
import type { RunChoices } from '../../shared/run/record.ts'
import type { AgentRequest } from '../engine/ports.ts'
import { agentUnknownText, BUILT_IN_AGENT_TYPES } from './agent-names.ts'
import { type Definition, readDefinitions } from './definitions.ts'
import { dayLimit, type ProfileFile, readProjectProfiles, readUserProfiles } from './profile-files.ts'
import { BUILT_IN, modelFor, modelNames, modelUnknownText, programOf, type SourcedProfile } from './profiles.ts'
import type { Programs } from './programs.ts'

export interface CatalogOptions {
  project: string
  /** The app's data folder. */
  data: string
  programs: Programs
}

/** What a call's names come to: the profile that answers, and how. */
export interface Choice {
  profile: Profile
  /** Where the profile comes from: a project's own has to be trusted before it starts anything. */
  source: SourcedProfile['source']
  /** Null: the backend's own. */
  model: string | null
  instructions: string | null
  /** Tools that exist for the call; null: all. */
  tools: readonly string[] | null
  readOnly: boolean
  permissions: PermissionMode
}

export interface Refused {
  refused: 'unknown-agent' | 'unknown-model'
  detail: string
}

/** Roles that the default agent plays. */
const ROLES: Readonly<Record<string, { readOnly: boolean; instructions: string | null }>> = {
  'general-purpose': { readOnly: false, instructions: null },
  Explore: {
    readOnly: true,
    instructions: 'Look, read and search to answer what is asked. Change no files and run nothing that changes anything.',
  },
  Plan: {
    readOnly: true,
    instructions: 'Read what you need, then answer with a plan of concrete steps. Change no files and run nothing that changes anything.',
  },
}

export class Catalog {
  /** What is wrong in the files of profiles. */
  readonly problems: readonly AppError[]
  /** The project's file of profiles, when it has any. */
  readonly projectFile: ProfileFile | null
  /** US dollars that all agents may cost in one day; the smaller one where person and project set a limit. */
  readonly maxCostPerDay: number | null
  readonly #profiles: ReadonlyMap<string, SourcedProfile>
  readonly #definitions: ReadonlyMap<string, Definition>

  private constructor(profiles: Map<string, SourcedProfile>, definitions: Map<string, Definition>, files: readonly ProfileFile[]) {
    this.#profiles = profiles
    this.#definitions = definitions
    this.maxCostPerDay = dayLimit(files)
    this.problems = files.flatMap(({ problems }) => problems)
    this.projectFile = files.find((file) => file.profiles.some(({ source }) => source === 'project')) ?? null
  }

  static async read({ project, data, programs }: CatalogOptions): Promise<Catalog> {
    const [user, own, definitions] = await Promise.all([readUserProfiles(data), readProjectProfiles(project), readDefinitions(project)])
    const there = await Promise.all(
      BUILT_IN.map(async (profile) => {
        const program = programOf(profile)
        return program === null || (await programs.look(program)) !== null
      }),
    )
    const builtIn = BUILT_IN.filter((_, index) => there[index]).map((profile) => ({ profile, source: 'built-in' as const, file: null }))
    const all = [...builtIn, ...user.profiles, ...own.profiles]
    return new Catalog(new Map(all.map((one) => [one.profile.name, one])), definitions, [user, own])
  }

  get profiles(): SourcedProfile[] {
    return [...this.#profiles.values()]
  }

  get definitions(): Definition[] {
    return [...this.#definitions.values()]
  }

  /** Every `agentType` that is known: roles, profiles, definitions. */
  get names(): string[] {
    return [...new Set([...BUILT_IN_AGENT_TYPES, ...this.#profiles.keys(), ...this.#definitions.keys()])]
  }

  profile(name: string): SourcedProfile | null {
    return this.#profiles.get(name) ?? null
  }

  /** Whether a literal model name means something to one of the agents here. */
  knowsModel(name: string): boolean {
    return this.profiles.some(({ profile }) => profile.backend !== 'simulated' && modelFor(profile, name) !== 'unknown')
  }

  unknownModelText(name: string): string {
    const known = new Set(this.profiles.flatMap(({ profile }) => modelNames(profile)))
    return `There is no model "${name}" here. Use one of ${[...known].join(', ')}, or add it to "models" of an agent's profile`
  }

  /** @param defaultAgent the profile that plays roles and definitions, and answers calls that name nobody */
  choose(
    request: Pick<AgentRequest, 'agentType' | 'model' | 'allowedTools'>,
    defaultAgent: string | null,
    choices: RunChoices = {},
  ): Choice | Refused {
    const { agentType } = request
    const named = agentType === undefined ? undefined : this.#profiles.get(agentType)
    const definition = named === undefined && agentType !== undefined ? this.#definitions.get(agentType) : undefined
    const role = named === undefined && definition === undefined && agentType !== undefined ? ROLES[agentType] : undefined
    if (agentType !== undefined && named === undefined && definition === undefined && role === undefined)
      return { refused: 'unknown-agent', detail: this.unknownText(agentType) }
    const found = named ?? (defaultAgent === null ? undefined : this.#profiles.get(defaultAgent))
    if (found === undefined) return { refused: 'unknown-agent', detail: this.#noDefault(defaultAgent) }
    const { profile, source } = found
    // What a person chose for the run is for calls that name no model.
    const wanted = request.model ?? definition?.model ?? choices.model
    const model = modelFor(profile, wanted)
    if (model === 'unknown') return { refused: 'unknown-model', detail: modelUnknownText(wanted ?? '', profile) }
    const permissions = choices.permissions ?? profile.permissions
    const listed = permissions === 'allow-listed' ? (profile.allowedTools ?? []) : null
    return {
      profile,
      source,
      model: model.model,
      instructions: (definition?.instructions === '' ? null : definition?.instructions) ?? role?.instructions ?? null,
      tools: narrowed([listed, definition?.tools ?? null, request.allowedTools ?? null]),
      readOnly: profile.readOnly === true || role?.readOnly === true,
      permissions,
    }
  }

  /** What is wrong with a profile that is written down under this name. */
  problemOf(name: string): AppError | null {
    return this.problems.find(({ message }) => message.includes(`“${name}”`)) ?? null
  }

  /** Why a name is refused; a profile that is written down and wrong says what is wrong with it. */
  unknownText(name: string): string {
    const written = this.problemOf(name)
    return written === null ? agentUnknownText(name, this.names) : `The agent "${name}" can't be used. ${written.message}`
  }

  #noDefault(defaultAgent: string | null): string {
    const names = [...this.#profiles.keys()].join(', ')
    const wanted = defaultAgent === null ? 'No default agent is chosen' : `The default agent "${defaultAgent}" is not known`
    return `${wanted}. Choose one of ${names}`
  }
}

/** What all of the lists allow; a list that is null allows everything. */
function narrowed(lists: readonly (readonly string[] | null)[]): readonly string[] | null {
  return lists.reduce((tools, list) => (tools === null ? list : list === null ? tools : tools.filter((tool) => list.includes(tool))), null)
}
