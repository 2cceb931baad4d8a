/** The mark at the end of an attempt that nobody works on any more: whose ink, and in two words why it ends there. */
import { runState } from '../../../shared/run/status.ts'
import type { RunView } from '../../../shared/run/view.ts'
import type { Ending } from './axis.tsx'

export function ending(view: RunView): Ending | null {
  const state = runState(view)
  switch (view.status) {
    case 'queued':
    case 'running':
    case 'waiting':
      return null
    case 'completed':
      return { state, label: 'completed' }
    case 'failed':
      return { state, label: 'failed' }
    case 'killed':
      return { state, label: 'stopped' }
    case 'paused':
      return { state, label: 'paused' }
    case 'interrupted':
      return { state, label: 'cut off' }
  }
}
