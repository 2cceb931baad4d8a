/** What can be done at once about a run that stands: raise what was used up and go on, try again, look at what broke. */
import type { CallView, RunView } from '../../../shared/run/view.ts'
import { isPast, openResume, resumeNow } from '../../commands/actions.ts'
import { useControls, useKeyHint } from '../../commands/use-commands.ts'
import { useRun, useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { money, tokens } from '../../words/quantity.ts'
import { raised } from '../../words/raise.ts'

/** The first gate that a person can decide now. */
export function openGate(view: RunView): CallView | undefined {
  if (!view.allowedActions.includes('decide')) return undefined
  return view.calls.find((call) => call.kind === 'gate' && call.status === 'waiting')
}

export function WaysOut({ view }: { view: RunView }) {
  const stores = useStores()
  const controls = useControls()
  const gateKey = useKeyHint('gate')
  const stale = useRun((state) => state.staleSince !== null)
  if (isPast(view)) return null
  const whyNot = stale ? 'Off until updates return' : null
  const died = view.calls.some((call) => call.status === 'dead')
  const actions: React.ReactNode[] = []
  const add = (label: string, act: () => void) =>
    actions.push(
      <Button key={label} whyNot={whyNot} onClick={act}>
        {label}
      </Button>,
    )
  const gate = openGate(view)
  if (gate !== undefined) {
    actions.push(
      <Button
        key="gate"
        look="primary"
        hint={gateKey}
        whyNot={whyNot}
        onClick={() => stores.window.getState().openSheet({ name: 'gate', runId: view.runId, callId: gate.callId })}
      >
        Look and decide…
      </Button>,
    )
  }
  if (view.error?.line !== undefined) {
    const { line } = view.error
    actions.push(
      <Button key="open" onClick={() => stores.window.getState().go({ name: 'workflow', path: view.path, line })}>
        Open at line {line}
      </Button>,
    )
  }
  if (died && (view.status === 'failed' || view.status === 'completed' || view.reason === 'same-failure')) {
    actions.push(
      <Button
        key="error"
        hint="E"
        onClick={() => {
          stores.window.getState().setInspector(true)
          controls.lanes?.step(1, 'failed')
        }}
      >
        Show what died
      </Button>,
    )
  }
  if (view.allowedActions.includes('resume') && view.status === 'paused') {
    if (view.reason === 'budget' && view.budget !== null) {
      const budget = raised(Math.max(view.budget, view.outputTokens))
      add(`Raise to ${tokens(budget)} and resume`, () => void resumeNow(stores, view, { budget }))
    }
    if (view.reason === 'money' && view.maxCost !== null) {
      const maxCost = raised(Math.max(view.maxCost, view.cost ?? 0))
      add(`Raise to ${money(maxCost)} and resume`, () => void resumeNow(stores, view, { maxCost }))
    }
    if (view.reason === 'quota' || view.reason === 'auth' || view.reason === 'same-failure') {
      add('Use another agent…', () => openResume(stores, view))
      add('Try now', () => void resumeNow(stores, view, {}))
    }
    if (view.reason === 'auth') add('Agents…', () => stores.window.getState().go({ name: 'settings' }))
  }
  return actions.length === 0 ? null : <div className="banner-actions">{actions}</div>
}
