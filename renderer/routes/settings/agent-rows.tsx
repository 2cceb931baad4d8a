/** Every agent that a call may name: whether it is there, what it may do, and a test with one tiny call. */
import { useEffect, useState } from 'react'
import type { AgentInfo, AgentTest } from '../../../shared/contract/agents.ts'
import type { ErrorData } from '../../../shared/errors.ts'
import type { Json } from '../../../shared/json.ts'
import { useStores, useWindow } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { State } from '../../ui/glyph.tsx'
import { counted } from '../../words/quantity.ts'
import { AgentForm } from './agent-form.tsx'
import { SettingRow } from './setting-row.tsx'

type Known = { at: 'reading' } | { at: 'read'; agents: AgentInfo[]; problems: string[] } | { at: 'failed'; error: ErrorData }

const STATES: Record<AgentInfo['state'], { tone: 'completed' | 'failed' | 'queued'; word: string }> = {
  ready: { tone: 'completed', word: 'Ready' },
  'not-found': { tone: 'failed', word: 'Not found' },
  'signed-out': { tone: 'failed', word: 'Not signed in' },
  unknown: { tone: 'queued', word: 'Not tested' },
}
const SOURCES: Record<AgentInfo['source'], string> = {
  'built-in': 'built in',
  user: 'yours',
  project: 'of this project',
  definition: 'defined in .claude/agents',
}
const PERMISSIONS: Record<AgentInfo['permissions'], string> = {
  ask: 'asks before each tool',
  'allow-listed': 'only listed tools',
  full: 'may use every tool',
}

export function AgentRows() {
  const { bridge } = useStores()
  const [known, setKnown] = useState<Known>({ at: 'reading' })
  const [adding, setAdding] = useState(false)
  const read = async () => {
    const answer = await bridge.agents.list()
    setKnown(answer.ok ? { at: 'read', ...answer.value } : { at: 'failed', error: answer.error })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, and again after each change
  useEffect(() => void read(), [])
  if (known.at === 'failed') return <Failure error={known.error} retry={() => void read()} />
  if (known.at === 'reading') return <p className="dense secondary">Looking which agents there are…</p>
  return (
    <>
      {known.problems.map((problem) => (
        <div key={problem} className="notice" data-tone="warning">
          {problem}
        </div>
      ))}
      {known.agents.map((agent) => (
        <AgentRow key={agent.name} agent={agent} onChanged={() => void read()} />
      ))}
      <SettingRow name="Another agent" note="A profile of your own: a program or an endpoint under a name." where="app">
        <Button aria-expanded={adding} onClick={() => setAdding(!adding)}>
          {adding ? 'Cancel' : 'Add…'}
        </Button>
      </SettingRow>
      {adding && (
        <AgentForm
          before={null}
          onSaved={() => {
            setAdding(false)
            void read()
          }}
        />
      )}
    </>
  )
}

function isNamed(profile: Json, name: string): boolean {
  return typeof profile === 'object' && profile !== null && !Array.isArray(profile) && profile['name'] === name
}

function noteOf(agent: AgentInfo): string {
  return [
    agent.backend ?? SOURCES[agent.source],
    agent.version,
    SOURCES[agent.source],
    PERMISSIONS[agent.permissions],
    `${counted(agent.concurrency, 'call')} at once`,
    agent.hasPrices ? 'prices known' : 'no prices',
    agent.detail?.replaceAll('`', '') ?? null,
  ]
    .filter((part, index, all) => part !== null && all.indexOf(part) === index)
    .join(' · ')
}

function AgentRow({ agent, onChanged }: { agent: AgentInfo; onChanged: () => void }) {
  const stores = useStores()
  const own = useWindow(({ settings }) => settings.profiles.find((one) => isNamed(one, agent.name)))
  const [editing, setEditing] = useState(false)
  const [testing, setTesting] = useState(false)
  const [tested, setTested] = useState<AgentTest | null>(null)
  const [error, setError] = useState<ErrorData | null>(null)
  const state = STATES[agent.state]
  const test = async () => {
    setTesting(true)
    const answer = await stores.bridge.agents.test({ name: agent.name })
    setTesting(false)
    setError(answer.ok ? null : answer.error)
    if (!answer.ok) return
    setTested(answer.value)
    stores.window.getState().say(`${agent.name}: ${answer.value.ok ? 'answered' : 'failed'}. ${answer.value.detail}`)
  }
  const remove = async () => {
    const answer = await stores.bridge.agents.remove({ name: agent.name })
    if (answer.ok) onChanged()
    else setError(answer.error)
  }
  const askRemove = () =>
    stores.window.getState().openSheet({
      name: 'confirm',
      question: {
        title: `Remove the agent ${agent.name}?`,
        text: 'Its profile and its secrets are forgotten. Runs that used it stay.',
        yes: 'Remove',
        no: 'Keep',
        go: () => void remove(),
      },
    })
  return (
    <>
      <SettingRow
        name={agent.name}
        note={noteOf(agent)}
        where={agent.source === 'project' || agent.source === 'definition' ? 'project' : 'app'}
      >
        <State tone={state.tone}>{state.word}</State>
        <Button
          aria-label={`Test ${agent.name}`}
          title="One call that costs next to nothing"
          whyNot={testing ? 'Testing' : agent.state === 'not-found' ? 'Its program was not found' : null}
          onClick={() => void test()}
        >
          {testing ? 'Testing…' : 'Test'}
        </Button>
        {agent.source === 'user' && (
          <>
            {own !== undefined && (
              <Button look="quiet" aria-label={`Edit ${agent.name}`} aria-expanded={editing} onClick={() => setEditing(!editing)}>
                {editing ? 'Cancel' : 'Edit…'}
              </Button>
            )}
            <Button look="quiet" aria-label={`Remove ${agent.name}`} onClick={askRemove}>
              Remove…
            </Button>
          </>
        )}
      </SettingRow>
      {tested !== null && (
        <p className="dense secondary agent-tested">
          <State tone={tested.ok ? 'completed' : 'failed'}>
            {tested.ok ? 'Answered' : 'Failed'} after {(tested.ms / 1000).toFixed(1)} s
          </State>{' '}
          {tested.detail}
        </p>
      )}
      {editing && own !== undefined && (
        <AgentForm
          before={own}
          onSaved={() => {
            setEditing(false)
            onChanged()
          }}
        />
      )}
      {error !== null && <Failure error={error} />}
    </>
  )
}
