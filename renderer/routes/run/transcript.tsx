/** What the call's agent told, as it tells it: the newest lines, with the way back to older ones. */
import { useCallback, useEffect, useState } from 'react'
import type { ErrorData } from '../../../shared/errors.ts'
import type { TranscriptEvent } from '../../../shared/run/transcript.ts'
import type { CallView, RunView } from '../../../shared/run/view.ts'
import { useStores } from '../../store/stores.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { plainText } from '../../words/plain-text.ts'
import { counted, duration } from '../../words/quantity.ts'

const PAGE = 100

const KINDS: Readonly<Record<string, string>> = {
  text: 'Says',
  thinking: 'Thinks',
  'tool-started': 'Uses',
  'tool-ended': 'Got',
  plan: 'Plans',
  usage: 'Spent',
  notice: 'Notice',
  permission: 'Asks',
}

export function Transcript({ call, view }: { call: CallView; view: RunView }) {
  const { bridge } = useStores()
  const [events, setEvents] = useState<readonly TranscriptEvent[]>([])
  const [total, setTotal] = useState(0)
  const [error, setError] = useState<ErrorData | null>(null)
  const { runId } = view
  const { callId } = call
  const read = useCallback(
    async (before?: number) => {
      const answer = await bridge.runs.transcript({ runId, callId, limit: PAGE, ...(before !== undefined && { before }) })
      setError(answer.ok ? null : answer.error)
      if (!answer.ok) return
      setTotal(answer.value.total)
      setEvents((known) => merged(known, answer.value.events))
    },
    [bridge, runId, callId],
  )
  // Each sign of the call means that there may be more lines.
  const sign = `${call.lastEventAt ?? ''} ${call.lastProgress ?? ''} ${call.status}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: `sign` asks again
  useEffect(() => void read(), [read, sign])
  const oldest = events[0]?.n
  if (error !== null) return <Failure error={error} retry={() => void read()} />
  if (events.length === 0) return null
  const zero = call.startedAt ?? call.queuedAt
  return (
    <section className="block">
      <header>
        <h3>Transcript</h3>
        <span>{counted(total, 'line')}</span>
        <CopyButton what="Transcript" text={() => events.map((one) => plainText(one.text)).join('\n')} />
      </header>
      {oldest !== undefined && oldest > 1 && (
        <button type="button" className="link dense" onClick={() => void read(oldest)}>
          Show older lines
        </button>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <ol className="log transcript" tabIndex={0} aria-label="Transcript">
        {events.map((one) => (
          <li key={one.n}>
            <time>{one.at < zero ? 'earlier' : duration(one.at - zero)}</time>
            <span>
              <span className="quiet">{KINDS[one.kind] ?? one.kind}</span> {plainText(one.text)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Lines by their number, each once. */
export function merged(known: readonly TranscriptEvent[], more: readonly TranscriptEvent[]): TranscriptEvent[] {
  const byNumber = new Map([...known, ...more].map((one) => [one.n, one]))
  return [...byNumber.values()].sort((a, b) => a.n - b.n)
}
