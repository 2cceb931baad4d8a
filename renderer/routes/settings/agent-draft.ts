/** What a person typed about an agent, and the profile that it makes. */
import type { InputOf } from '../../../shared/contract/bridge.ts'
import type { Json } from '../../../shared/json.ts'
import { readMoney } from '../../sheets/new-run/run-input.ts'

type Profile = InputOf<'agents.save'>['profile']

export interface AgentDraft {
  name: string
  backend: 'command' | 'claude' | 'codex' | 'acp' | 'api'
  command: string
  args: string
  model: string
  permissions: 'ask' | 'allow-listed' | 'full'
  tools: string
  provider: 'openai-compatible' | 'anthropic'
  baseUrl: string
  key: string
  inputPrice: string
  outputPrice: string
}

export const EMPTY_DRAFT: AgentDraft = {
  name: '',
  backend: 'command',
  command: '',
  args: '',
  model: '',
  permissions: 'ask',
  tools: '',
  provider: 'openai-compatible',
  baseUrl: '',
  key: '',
  inputPrice: '',
  outputPrice: '',
}

/** The secret of a profile that holds its key. */
export const KEY_NAME = 'API_KEY'

const words = (text: string, by: RegExp) =>
  text
    .split(by)
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** The profile, or the first reason why there is none yet. */
export function profileOf(draft: AgentDraft): { profile: Profile } | { whyNot: string } {
  const [input, output] = [readMoney(draft.inputPrice), readMoney(draft.outputPrice)]
  const [command, model, args, tools] = [draft.command.trim(), draft.model.trim(), words(draft.args, /\s+/), words(draft.tools, /,/)]
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(draft.name)) return { whyNot: 'A name has letters, digits, dots, dashes or underscores' }
  if (!input.ok || !output.ok) return { whyNot: 'A price is an amount such as 2.50' }
  if ((input.value === undefined) !== (output.value === undefined)) return { whyNot: 'Prices come in pairs: in and out' }
  const common = {
    name: draft.name,
    permissions: draft.permissions,
    ...(args.length > 0 && draft.backend !== 'api' && { args }),
    ...(tools.length > 0 && { allowedTools: tools }),
    ...(input.value !== undefined &&
      output.value !== undefined && { pricing: { inputPerMillion: input.value, outputPerMillion: output.value } }),
  }
  switch (draft.backend) {
    case 'command':
    case 'acp':
      if (command === '') return { whyNot: 'Name its program' }
      return { profile: { ...common, backend: draft.backend, command, ...(model !== '' && { model }) } }
    case 'claude':
    case 'codex':
      return { profile: { ...common, backend: draft.backend, ...(command !== '' && { command }), ...(model !== '' && { model }) } }
    case 'api':
      if (model === '') return { whyNot: 'Name its model' }
      return {
        profile: {
          ...common,
          backend: 'api',
          model,
          options: {
            provider: draft.provider,
            ...(draft.baseUrl.trim() !== '' && { baseUrl: draft.baseUrl.trim() }),
            ...(draft.key !== '' && { keyName: KEY_NAME }),
          },
        },
      }
  }
}

/** What a profile of the settings says, as far as the form edits it. */
export function draftOf(profile: Json): AgentDraft {
  const given = isObject(profile) ? profile : {}
  const options = isObject(given['options']) ? given['options'] : {}
  const pricing = isObject(given['pricing']) ? given['pricing'] : {}
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  const list = (value: unknown) => (Array.isArray(value) ? value.map(text) : [])
  const one = <T extends string>(value: unknown, known: readonly T[], otherwise: T) => known.find((word) => word === value) ?? otherwise
  return {
    name: text(given['name']),
    backend: one(given['backend'], ['command', 'claude', 'codex', 'acp', 'api'], EMPTY_DRAFT.backend),
    command: text(given['command']),
    args: list(given['args']).join(' '),
    model: text(given['model']),
    permissions: one(given['permissions'], ['ask', 'allow-listed', 'full'], EMPTY_DRAFT.permissions),
    tools: list(given['allowedTools']).join(', '),
    provider: one(options['provider'], ['openai-compatible', 'anthropic'], EMPTY_DRAFT.provider),
    baseUrl: text(options['baseUrl']),
    key: '',
    inputPrice: text(pricing['inputPerMillion']),
    outputPrice: text(pricing['outputPerMillion']),
  }
}

/** The fields that the form owns: what is left out of it is gone from the profile too. */
const EDITED = ['name', 'backend', 'command', 'args', 'model', 'permissions', 'allowedTools', 'pricing', 'options']

/** A changed profile with all that the form knows nothing of, such as variables and a limit on calls. */
export function withRest(made: Profile, before: Json): Profile {
  if (!isObject(before) || before['backend'] !== made.backend) return made
  const rest = Object.fromEntries(Object.entries(before).filter(([name]) => !EDITED.includes(name)))
  const { keyName, baseUrl, provider, ...options } = isObject(before['options']) ? before['options'] : {}
  // A key that was kept before stays in the safe, and in use, until another one is given.
  const kept = made.backend === 'api' && keyName !== undefined ? { keyName } : {}
  const own = 'options' in made ? made.options : {}
  const merged = { ...options, ...kept, ...own }
  return { ...rest, ...made, ...(Object.keys(merged).length > 0 && { options: merged }) } as Profile
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
