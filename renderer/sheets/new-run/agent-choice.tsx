/** The agent of a new run: one of those that are set up here, one that ran before, or none but what the script names. */
import { useEffect, useState } from 'react'
import type { AgentInfo } from '../../../shared/contract/agents.ts'
import { useHistory, useStores, useWindow } from '../../store/stores.ts'
import type { Choice } from '../../ui/choice-menu.tsx'
import { ChoiceMenu } from '../../ui/choice-menu.tsx'

/** No agent for the run as a whole. */
export const OF_SCRIPT = ''

export function AgentChoice({ agent, onAgent }: { agent: string; onAgent: (agent: string) => void }) {
  const { bridge } = useStores()
  const set = useWindow((state) => state.settings.agent)
  const runs = useHistory((state) => state.runs)
  const [known, setKnown] = useState<readonly AgentInfo[]>([])
  useEffect(() => {
    let current = true
    void bridge.agents.list().then((answer) => {
      if (current && answer.ok) setKnown(answer.value.agents)
    })
    return () => {
      current = false
    }
  }, [bridge])
  const seen = runs.map((run) => run.backend).filter((name): name is string => name !== null)
  const names = [...new Set([...(set === null ? [] : [set]), ...known.map((one) => one.name), ...seen])].filter(
    (name) => name !== 'simulated',
  )
  const choices: Choice<string>[] = [
    { value: OF_SCRIPT, label: 'As the script says', note: 'Every call names its agent, or the default of the settings is used' },
    ...names.map((name) => ({ value: name, label: name, note: noteOf(known.find((one) => one.name === name)) })),
    { value: 'simulated', label: 'Simulated', note: 'Nothing real is started and nothing is spent' },
  ]
  return <ChoiceMenu label="Agent" value={agent} choices={choices} onChange={onAgent} />
}

function noteOf(info: AgentInfo | undefined): string | undefined {
  if (info === undefined) return undefined
  if (info.state === 'not-found') return 'Not found on this computer'
  if (info.state === 'signed-out') return 'Not signed in'
  return info.version ?? undefined
}
