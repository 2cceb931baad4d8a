/** One lane as a whole: what it is for, how far it is, what it took. */
import type { PhaseRow } from '../../../shared/run/lanes.ts'
import { useKeyHint } from '../../commands/use-commands.ts'
import { useRun, useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { State } from '../../ui/glyph.tsx'
import { counted, duration, grouped } from '../../words/quantity.ts'
import { FactList, InspectorHead } from './inspector-parts.tsx'

export function PhaseInspector({ lane }: { lane: PhaseRow }) {
  const { run: store } = useStores()
  const pinned = useRun((state) => state.pinned.has(lane.id))
  const calls = lane.calls.map((row) => row.call)
  const live = lane.calls.filter((row) => row.replayedMs === null)
  const died = calls.filter((call) => call.status === 'dead').length
  const facts: [string, React.ReactNode][] = [['Calls', calls.length === 0 ? 'none yet' : counted(calls.length, 'call')]]
  if (calls.length > 0) facts.push(['Source', `${calls.length - live.length} replayed, ${live.length} live`])
  if (died > 0) facts.push(['Died', counted(died, 'call')])
  if (lane.span !== null) facts.push(['Took', duration(lane.span.to - lane.span.from)])
  if (lane.workedMs !== null) facts.push(['Worked', `${duration(lane.workedMs)}, all calls together`])
  facts.push(['Tokens', `${grouped(calls.reduce((sum, call) => sum + call.outputTokens, 0))} out`])
  return (
    <>
      <InspectorHead title={lane.title}>
        <State tone={lane.state.tone}>{lane.state.word}</State>
      </InspectorHead>
      {lane.detail !== null && <p className="dense secondary">{lane.detail}</p>}
      <FactList facts={facts} />
      <div className="form-line">
        <Button hint={useKeyHint('pin')} aria-pressed={pinned} onClick={() => store.getState().pin(lane.id, !pinned)}>
          {pinned ? 'Let it go from the top' : 'Pin on top'}
        </Button>
      </div>
    </>
  )
}
