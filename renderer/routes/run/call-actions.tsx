/** What can be done to one call: skip it or start it again while it is at work, run again from it when the run stands. */
import type { CallView, RunView } from '../../../shared/run/view.ts'
import { isPast, openResume, retryCall, skipCall } from '../../commands/actions.ts'
import { useRun, useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'

export function CallActions({ call, view }: { call: CallView; view: RunView }) {
  const stores = useStores()
  const stale = useRun((state) => state.staleSince !== null)
  if (call.kind === 'open-child' || isPast(view)) return null
  if (view.allowedActions.includes('resume') && (call.status === 'ok' || call.status === 'dead')) {
    return (
      <div className="form-line">
        <Button whyNot={stale ? 'Off until updates return' : null} onClick={() => openResume(stores, view, call.callId)}>
          Run again from here…
        </Button>
      </div>
    )
  }
  if (call.kind === 'gate') return null
  // Of a call that ended well there is nothing to do, and nothing to explain.
  if (call.endedAt !== null && call.actions.length === 0) return null
  const whyNot = (action: 'skip' | 'retry', words: string) =>
    stale ? 'Off until updates return' : call.actions.includes(action) ? null : words
  return (
    <div className="form-line">
      <Button whyNot={whyNot('skip', 'Only while the run is at work')} onClick={() => void skipCall(stores, view, call)}>
        Skip this call
      </Button>
      {call.kind !== 'sleep' && (
        <Button
          whyNot={whyNot('retry', call.status === 'queued' ? 'It has not started yet' : 'Only while it is at work')}
          onClick={() => void retryCall(stores, view, call)}
        >
          Retry
        </Button>
      )}
    </div>
  )
}
