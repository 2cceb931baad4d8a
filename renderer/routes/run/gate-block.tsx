/** A gate that waits, in the inspector: its question, and the way to the sheet that decides it. */
import type { CallView, RunView } from '../../../shared/run/view.ts'
import { useKeyHint } from '../../commands/use-commands.ts'
import { useRun, useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'

export function GateBlock({ call, view }: { call: CallView; view: RunView }) {
  const stores = useStores()
  const stale = useRun((state) => state.staleSince !== null)
  return (
    <section className="block" aria-label="Your decision">
      <header>
        <h3>Waits for you</h3>
      </header>
      <p>{call.title}</p>
      <div>
        <Button
          look="primary"
          hint={useKeyHint('gate')}
          whyNot={stale ? 'Off until updates return' : null}
          onClick={() => stores.window.getState().openSheet({ name: 'gate', runId: view.runId, callId: call.callId })}
        >
          Look and decide…
        </Button>
      </div>
      {view.endedAt !== null && (
        <p className="dense secondary">Nobody is at work on this run: your choice is saved, and a resume goes on with it.</p>
      )}
    </section>
  )
}
