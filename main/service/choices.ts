/** What a person chose for all calls of a run, checked before anything runs: a model, how free agents are, a limit on money. */
import type { Profile } from '../../shared/contract/agents.ts'
import { AppError } from '../../shared/errors.ts'
import type { RunChoices } from '../../shared/run/record.ts'
import type { ScriptUses } from '../engine/source/check-script.ts'

export interface Chosen extends RunChoices {
  /** Agent for calls that name none. */
  agent?: string
  maxCost?: number
}

/** What is recorded of them: nothing where nothing was chosen. */
export function choicesOf({ model, permissions }: RunChoices, base: RunChoices = {}): { choices?: RunChoices } {
  const chosen: RunChoices = { ...base, ...(model !== undefined && { model }), ...(permissions !== undefined && { permissions }) }
  return Object.keys(chosen).length === 0 ? {} : { choices: chosen }
}

/**
 * @param data the app's data folder
 * @throws AppError `model-unknown` when the run's agent has no such model, `prices-unknown` when nobody could tell what it costs
 */
export async function checkChoices(chosen: Chosen, uses: ScriptUses, project: string, data: string): Promise<void> {
  const { agent, model, maxCost } = chosen
  // Neither plays for money.
  if (agent === 'simulated' || (agent === 'shell' && model === undefined && maxCost === undefined)) return
  const [{ Catalog }, { Programs }, { modelFor, modelUnknownText }, { tellsCost }] = await Promise.all([
    import('../agents/catalog.ts'),
    import('../agents/programs.ts'),
    import('../agents/profiles.ts'),
    import('../agents/cost.ts'),
  ])
  const catalog = await Catalog.read({ project, data, programs: new Programs({ project, data }) })
  const own = agent === undefined ? undefined : catalog.profile(agent)?.profile
  if (model !== undefined && own !== undefined && modelFor(own, model) === 'unknown')
    throw new AppError('model-unknown', `${modelUnknownText(model, own)}. Nothing was started.`)
  const limit = maxCost ?? catalog.maxCostPerDay
  if (limit === null) return
  const named = uses.agentTypes.flatMap(({ name }) => catalog.profile(name)?.profile ?? [])
  const untold = [own, ...named].find(
    (profile): profile is Profile => profile !== undefined && !tellsCost(profile) && (maxCost !== undefined || profile.backend !== 'shell'),
  )
  if (untold === undefined) return
  throw new AppError(
    'prices-unknown',
    `Nobody can tell what “${untold.name}” costs, so a limit of $${limit.toFixed(2)}${maxCost === undefined ? ' a day' : ''} would not hold. Give its profile “pricing”, or limit tokens with --budget. Nothing was started.`,
  )
}
