/** The events of a run for a reader: what is written, and with a signal what comes until the run ends, whoever owns it. */
import type { RunId } from '../../shared/ids.ts'
import type { RunEvent } from '../../shared/run/events.ts'
import { type LocalRunStore, openStore } from '../store/run-store.ts'

/** How often an owner is looked at that says nothing: it may have died without a last word. */
const LOOK_MS = 1000

/** @throws AppError `run-unknown`, `run-damaged`, `journal-missing`, `newer-format` */
export async function* runLogs(project: string, runId: RunId, follow: AbortSignal | null): AsyncGenerator<RunEvent[]> {
  const store = openStore(project)
  await store.read(runId)
  if (follow === null) yield* store.events(runId)
  else yield* untilEnded(store, runId, follow)
}

async function* untilEnded(store: LocalRunStore, runId: RunId, signal: AbortSignal): AsyncGenerator<RunEvent[]> {
  const over = new AbortController()
  const stop = (): void => over.abort()
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  let hasEnded = false
  let isLooking = false
  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    hasEnded = await isOver(store, runId)
    isLooking = false
    if (hasEnded) stop()
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  let last = 0
  try {
    for await (const batch of store.feed(runId, 0, over.signal)) {
      last = batch.at(-1)?.seq ?? last
      yield batch
      if (batch.at(-1)?.type !== 'run.ended') continue
      await look()
      if (hasEnded) break
    }
    // The look may have seen the end before the feed saw the last events.
    if (!signal.aborted) yield* store.events(runId, last)
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Nobody works on it: it has an end, or its owner is gone. A run that can't be read has no more to tell. */
async function isOver(store: LocalRunStore, runId: RunId): Promise<boolean> {
  return store.read(runId).then(
    (read) => !read.ownerAlive,
    () => true,
  )
}
