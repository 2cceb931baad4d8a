/** Asks once for each text that can touch the machine. Opens on the answer that changes nothing. */
import { useState } from 'react'
import type { Preflight } from '../../../shared/contract/runs.ts'
import type { ErrorData } from '../../../shared/errors.ts'
import { showKey } from '../../commands/keys.ts'
import { useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { TextBlock } from '../../ui/text-block.tsx'
import { counted } from '../../words/quantity.ts'

interface Ask {
  grave: boolean
  title: string
  text: string
}

/** What the text reaches for, the gravest first. */
export function asks(preflight: Preflight): Ask[] {
  const { uses } = preflight
  const list: Ask[] = []
  if (uses.checks) list.push({ grave: true, title: 'Runs commands on this computer', text: 'check() starts programs as you.' })
  const byName = new Map<string, number[]>()
  for (const agent of uses.agentTypes) byName.set(agent.name, [...(byName.get(agent.name) ?? []), agent.line])
  for (const [name, lines] of byName) {
    list.push({ grave: !uses.worktrees, title: `Starts the agent ${name}`, text: `Line ${lines.join(', ')}.` })
  }
  if (uses.defaultAgent) list.push({ grave: !uses.worktrees, title: 'Starts the default agent', text: 'The one chosen for this run.' })
  if (byName.size > 0 || uses.defaultAgent) {
    list.push(
      uses.worktrees
        ? {
            grave: false,
            title: 'Agents may work in worktrees',
            text: 'Copies of the project; what they change there does not touch your files.',
          }
        : {
            grave: true,
            title: 'Agents may write in this project',
            text: 'No call asks for a worktree. Each agent keeps to its own permissions.',
          },
    )
  }
  for (const child of preflight.children) {
    const text = child.trustNeeded === null ? child.path : `${child.path}: ${child.trustNeeded}.`
    list.push({ grave: child.trustNeeded !== null, title: `Calls the workflow ${child.name}`, text })
  }
  list.push({
    grave: false,
    title: 'The script by itself reaches nothing',
    text: 'No files, no network, no clock: only what the calls above do.',
  })
  return list
}

export function TrustSheet({ preflight, go }: { preflight: Preflight; go: () => void }) {
  const stores = useStores()
  const [shown, setShown] = useState(false)
  const [error, setError] = useState<ErrorData | null>(null)
  const close = stores.window.getState().closeSheet
  const trust = async () => {
    for (const { sha256, path } of [preflight, ...preflight.children]) {
      const answer = await stores.bridge.runs.trust({ sha256, path })
      if (!answer.ok) return setError(answer.error)
    }
    close()
    go()
  }
  return (
    <Sheet
      title="This text has not run from here yet"
      lead={preflight.trustNeeded ?? 'Look at what it can do. The question comes once; a changed text is asked about anew.'}
      onClose={close}
      onConfirm={() => void trust()}
      footer={
        <>
          <span className="note">Pinned to this exact text.</span>
          <span className="push" />
          <Button hint="esc" onClick={close} data-autofocus="">
            Don't run
          </Button>
          <Button look="primary" hint={showKey('Mod+Enter')} onClick={() => void trust()}>
            Trust and run
          </Button>
        </>
      }
    >
      {error !== null && <Failure error={error} />}
      <div className="panel">
        <div className="finding">
          <Icon name="script" />
          <div>
            <p className="strong">{preflight.title}</p>
            <p className="more">
              {preflight.path}, {counted(preflight.text.split('\n').length, 'line')}. Fingerprint{' '}
              <code>{preflight.sha256.slice(0, 8)}</code>
            </p>
          </div>
          <button type="button" className="link" aria-expanded={shown} onClick={() => setShown(!shown)}>
            {shown ? 'Hide script' : 'View script'}
          </button>
        </div>
        {shown && <TextBlock label="Script" text={preflight.text} />}
      </div>
      <section className="block">
        <header>
          <h3>What it can do</h3>
        </header>
        <ul className="panel">
          {asks(preflight).map((ask) => (
            <li className="finding" key={ask.title}>
              {ask.grave ? <Glyph tone="warning" /> : <Icon name="check" />}
              <div>
                <p className="strong">
                  {ask.grave && <span className="heard">Look at this: </span>}
                  {ask.title}
                </p>
                <p className="more">{ask.text}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>
    </Sheet>
  )
}
