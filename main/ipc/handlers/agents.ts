/** Answers about agents: those of the open project, or of the person where none is open. */
import type { Profile } from '../../../shared/contract/agents.ts'
import type { Json } from '../../../shared/json.ts'
import type { Projects } from '../../projects.ts'
import type { AppSecrets } from '../../secrets.ts'
import type { Service } from '../../service/service.ts'
import type { AppSettings } from '../../settings.ts'
import type { Handlers } from '../validated-ipc.ts'

export interface AgentHandlersWorld {
  service: Service
  projects: Pick<Projects, 'current'>
  settings: Pick<AppSettings, 'value' | 'change' | 'flush'>
  secrets: Pick<AppSecrets, 'change'>
  /** Stands for the project where none is open. */
  dataFolder: string
}

export function agentHandlers({
  service,
  projects,
  settings,
  secrets,
  dataFolder,
}: AgentHandlersWorld): Pick<Handlers, Extract<keyof Handlers, `agents.${string}`>> {
  const project = (): string => (projects.current?.exists ? projects.current.path : dataFolder)
  const save = async (profiles: Json[]): Promise<null> => {
    settings.change({ profiles })
    // Runs read the file, so it has to be there when the answer is.
    await settings.flush()
    return null
  }
  const others = (name: string): Json[] => settings.value.profiles.filter((one) => nameOf(one) !== name)
  return {
    'agents.list': () => service.agents(project()),
    'agents.today': () => service.today(project()),
    'agents.test': ({ name }) => service.testAgent(project(), name),
    'agents.save': ({ profile }) => save([...others(profile.name), asJson(profile)]),
    'agents.remove': ({ name }) => save(others(name)),
    'agents.setSecret': async ({ profile, name, value }) => {
      await secrets.change(profile, name, value)
      return null
    },
  }
}

function nameOf(profile: Json): Json | undefined {
  return typeof profile === 'object' && profile !== null && !Array.isArray(profile) ? profile['name'] : undefined
}

function asJson(profile: Profile): Json {
  return JSON.parse(JSON.stringify(profile)) as Json
}
