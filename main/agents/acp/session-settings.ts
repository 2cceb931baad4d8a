/** Sets mode, model and effort of a session by what the agent offers. What it does not offer can't be had, and is said. */
import { type ClientContext, methods, type SessionConfigOption, type SessionModeState } from '@agentclientprotocol/sdk'
import * as z from 'zod'

/** What an agent says of a session when it is made or loaded. */
export interface SessionState {
  sessionId: string
  modes?: SessionModeState | null | undefined
  configOptions?: SessionConfigOption[] | null | undefined
}

export interface Settings {
  mode: string | null
  /** The mode is the person's choice: without it the call is not done. Else it is what is known of the program. */
  modeIsAsked: boolean
  model: string | undefined
  /** The model was given with the program's arguments already. */
  modelIsSet: boolean
  effort: string | undefined
  /** The profile's own choices, by the agent's ids. */
  config: Readonly<Record<string, string>>
}

export type Refused = { refused: 'unknown-model' | 'agent-error'; detail: string }

/** Older agents tell their models beside the options. */
const Models = z.object({ models: z.object({ availableModels: z.array(z.object({ modelId: z.string(), name: z.string() })) }) })

export async function applySettings(
  agent: ClientContext,
  session: SessionState,
  settings: Settings,
  notice: (text: string) => void,
): Promise<Refused | null> {
  const { sessionId } = session
  const set = (option: SessionConfigOption, value: string) =>
    agent.request(methods.agent.session.setConfigOption, { sessionId, configId: option.id, value })
  const options = session.configOptions ?? []
  for (const [id, value] of Object.entries(settings.config)) {
    const option = options.find((one) => one.id === id)
    if (option === undefined)
      return { refused: 'agent-error', detail: `The agent has no setting “${id}”. It has ${list(options.map((one) => one.id))}` }
    await set(option, value)
  }
  const refused = await setMode(agent, session, settings.mode)
  if (refused !== null && settings.modeIsAsked) return refused
  if (refused !== null) notice(refused.detail)
  if (settings.model !== undefined && !settings.modelIsSet) {
    const unknown = await setModel(agent, session, settings.model)
    if (unknown !== null) return unknown
  }
  if (settings.effort !== undefined) {
    const option = options.find((one) => one.category === 'thought_level')
    const value = option === undefined ? undefined : valueOf(option, settings.effort)
    if (option === undefined || value === undefined) notice(`The agent has no effort “${settings.effort}”; it works with its usual one`)
    else await set(option, value)
  }
  return null
}

async function setMode(
  agent: ClientContext,
  { sessionId, modes, configOptions }: SessionState,
  mode: string | null,
): Promise<Refused | null> {
  if (mode === null || modes?.currentModeId === mode) return null
  if (modes?.availableModes.some(({ id }) => id === mode) === true) {
    await agent.request(methods.agent.session.setMode, { sessionId, modeId: mode })
    return null
  }
  const option = (configOptions ?? []).find((one) => one.category === 'mode' || one.id === 'mode')
  const value = option === undefined ? undefined : valueOf(option, mode)
  if (option === undefined || value === undefined) {
    const known = modes?.availableModes.map(({ id }) => id) ?? (option === undefined ? [] : valuesOf(option).map((one) => one.value))
    return { refused: 'agent-error', detail: `The agent has no mode “${mode}”. It has ${list(known)}` }
  }
  await agent.request(methods.agent.session.setConfigOption, { sessionId, configId: option.id, value })
  return null
}

async function setModel(agent: ClientContext, session: SessionState, model: string): Promise<Refused | null> {
  const { sessionId } = session
  const option = (session.configOptions ?? []).find((one) => one.category === 'model' || one.id === 'model')
  if (option !== undefined) {
    const value = valueOf(option, model)
    if (value === undefined)
      return unknownModel(
        model,
        valuesOf(option).map((one) => one.value),
      )
    await agent.request(methods.agent.session.setConfigOption, { sessionId, configId: option.id, value })
    return null
  }
  const older = Models.safeParse(session)
  if (!older.success) return unknownModel(model, [])
  const { availableModels } = older.data.models
  const found = availableModels.find(({ modelId, name }) => modelId === model || name === model)
  if (found === undefined)
    return unknownModel(
      model,
      availableModels.map(({ modelId }) => modelId),
    )
  await agent.request('session/set_model', { sessionId, modelId: found.modelId })
  return null
}

function unknownModel(model: string, known: string[]): Refused {
  const offers = known.length === 0 ? 'It lets nobody choose one; leave the model out' : `It has ${list(known)}`
  return { refused: 'unknown-model', detail: `The agent has no model “${model}”. ${offers}` }
}

function valueOf(option: SessionConfigOption, wanted: string): string | undefined {
  return valuesOf(option).find(({ value, name }) => value === wanted || name === wanted)?.value
}

function valuesOf(option: SessionConfigOption): { value: string; name: string }[] {
  if (option.type !== 'select') return []
  return option.options.flatMap((one) => ('options' in one ? one.options : [one]))
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}
