/** What a person typed about an agent, and the profile that it makes. */
import type { InputOf } from '../../../shared/contract/bridge.ts'
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
