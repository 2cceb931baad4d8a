/** A run that somebody else's request, or our own earlier one, has made: followed by its files, never started twice. */
import type { RunId } from '../../shared/ids.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import type { RunView } from '../../shared/run/view.ts'
import type { RunStore } from '../engine/ports.ts'
import type { LiveRun } from './service.ts'

export async function followRun(store: RunStore, runId: RunId): Promise<LiveRun> {
  const { info } = await store.read(runId)
  const listeners = new Set<(event: RunEvent) => void>()
  const seen: RunEvent[] = []
  return {
    runId,
    number: info.number,
    existed: true,
    done: untilEnded(store, runId, (event) => {
      seen.push(event)
      for (const listener of listeners) listener(event)
    }),
    onEvent(listener) {
      for (const event of seen) listener(event)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    // another process owns it: `reprise stop` and `reprise pause` go through its inbox
    stop: () => undefined,
    pause: () => undefined,
  }
}

async function untilEnded(store: RunStore, runId: RunId, tell: (event: RunEvent) => void): Promise<RunView> {
  const over = new AbortController()
  for await (const batch of store.feed(runId, 0, over.signal)) {
    for (const event of batch) tell(event)
    const { view, ownerAlive } = await store.read(runId)
    if (!ownerAlive || view.endedAt !== null) break
  }
  over.abort()
  return (await store.read(runId)).view
}
