/** A profile of one's own: name, what answers, what it may do, what it costs. A key goes straight to the system's safe. */
import { useState } from 'react'
import type { ErrorData } from '../../../shared/errors.ts'
import type { Json } from '../../../shared/json.ts'
import { useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import type { Choice } from '../../ui/choice-menu.tsx'
import { ChoiceMenu } from '../../ui/choice-menu.tsx'
import { Failure } from '../../ui/failure.tsx'
import { type AgentDraft, draftOf, EMPTY_DRAFT, KEY_NAME, profileOf, withRest } from './agent-draft.ts'

const BACKENDS: Choice<AgentDraft['backend']>[] = [
  { value: 'command', label: 'A program', note: 'Gets the prompt, writes its answer' },
  { value: 'claude', label: 'Claude Code' },
  { value: 'codex', label: 'Codex' },
  { value: 'acp', label: 'An ACP agent', note: 'A program that speaks the Agent Client Protocol' },
  { value: 'api', label: 'A model API', note: 'OpenAI-compatible or Anthropic' },
]
const PERMISSIONS: Choice<AgentDraft['permissions']>[] = [
  { value: 'ask', label: 'Ask before each tool' },
  { value: 'allow-listed', label: 'Only listed tools' },
  { value: 'full', label: 'Every tool' },
]
const PROVIDERS: Choice<AgentDraft['provider']>[] = [
  { value: 'openai-compatible', label: 'OpenAI-compatible' },
  { value: 'anthropic', label: 'Anthropic' },
]

/** @param before the profile that is edited; null for a new one */
export function AgentForm({ before, onSaved }: { before: Json | null; onSaved: () => void }) {
  const { bridge, window: frame } = useStores()
  const [draft, setDraft] = useState(before === null ? EMPTY_DRAFT : draftOf(before))
  const [error, setError] = useState<ErrorData | null>(null)
  const change = (next: Partial<AgentDraft>) => setDraft((now) => ({ ...now, ...next }))
  const made = profileOf(draft)
  const save = async () => {
    if ('whyNot' in made) return
    const answer = await bridge.agents.save({ profile: before === null ? made.profile : withRest(made.profile, before) })
    if (!answer.ok) return setError(answer.error)
    if (draft.key !== '' && draft.backend === 'api') {
      const kept = await bridge.agents.setSecret({ profile: draft.name, name: KEY_NAME, value: draft.key })
      if (!kept.ok) return setError(kept.error)
    }
    frame.getState().showToast({ text: `Saved the agent ${draft.name}.`, action: null })
    onSaved()
  }
  const text = (
    label: string,
    name: 'name' | 'command' | 'args' | 'model' | 'tools' | 'baseUrl' | 'key' | 'inputPrice' | 'outputPrice',
    hint = '',
  ) => (
    <label className="agent-field">
      <span className="form-label">{label}</span>
      <input
        className="field"
        type={name === 'key' ? 'password' : 'text'}
        autoComplete="off"
        placeholder={hint}
        value={draft[name]}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </label>
  )
  const isProgram = draft.backend !== 'api'
  return (
    <form
      className="panel agent-form"
      aria-label={before === null ? 'Another agent' : `Agent ${draft.name}`}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {error !== null && <Failure error={error} />}
      {before === null && text('Name', 'name', 'as calls name it')}
      <div className="agent-field">
        <span className="form-label">Answered by</span>
        <ChoiceMenu label="Answered by" value={draft.backend} choices={BACKENDS} onChange={(backend) => change({ backend })} />
      </div>
      {isProgram &&
        text('Program', 'command', draft.backend === 'claude' || draft.backend === 'codex' ? 'the usual one' : 'a name on PATH, or a path')}
      {isProgram && text('Arguments', 'args', 'separated by blanks')}
      {draft.backend === 'api' && (
        <div className="agent-field">
          <span className="form-label">Provider</span>
          <ChoiceMenu label="Provider" value={draft.provider} choices={PROVIDERS} onChange={(provider) => change({ provider })} />
        </div>
      )}
      {draft.backend === 'api' && text('Address', 'baseUrl', "the provider's own")}
      {draft.backend === 'api' && text('Key', 'key', before === null ? 'none' : 'as before')}
      {text('Model', 'model', draft.backend === 'api' ? 'needed' : "the agent's own choice")}
      <div className="agent-field">
        <span className="form-label">Permissions</span>
        <ChoiceMenu
          label="Permissions"
          value={draft.permissions}
          choices={PERMISSIONS}
          onChange={(permissions) => change({ permissions })}
        />
      </div>
      {text('Allowed tools', 'tools', 'separated by commas')}
      {text('Price in', 'inputPrice', 'US dollars a million tokens')}
      {text('Price out', 'outputPrice', 'US dollars a million tokens')}
      <div className="form-line">
        <Button type="submit" look="primary" whyNot={'whyNot' in made ? made.whyNot : null}>
          Save
        </Button>
        {'whyNot' in made && <span className="dense secondary">{made.whyNot}</span>}
      </div>
    </form>
  )
}
