/** Runs that stand still until somebody acts, above everything else. */
import { runState } from '../../../shared/run/status.ts'
import type { RunSummary } from '../../../shared/run/view.ts'
import { openResume, openRun } from '../../commands/actions.ts'
import { useStores } from '../../store/stores.ts'
import { useNow } from '../../store/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Strip } from '../../ui/strip.tsx'
import { when } from '../../words/quantity.ts'
import { rowParts, stake } from '../../words/run-words.ts'

export function NeedsYou({ runs, all }: { runs: readonly RunSummary[]; all: number }) {
  const stores = useStores()
  return (
    <section className="needs" aria-labelledby="needs-you">
      <h2 id="needs-you">Needs you</h2>
      <ul>
        {runs.map((run) => (
          <Item key={run.runId} run={run} />
        ))}
      </ul>
      {all > runs.length && (
        <p className="notice">
          <button type="button" className="link" onClick={() => stores.history.getState().setTab('needs-you')}>
            Show all {all}
          </button>
        </p>
      )}
    </section>
  )
}

function Item({ run }: { run: RunSummary }) {
  const stores = useStores()
  const now = useNow(false)
  const state = runState(run)
  return (
    <li data-tone={state.tone}>
      <Glyph tone={state.tone} large />
      <div>
        <p className="clip">
          <button type="button" className="open-name" onClick={() => openRun(stores, run.runId)}>
            {run.title}
          </button>{' '}
          <span className="number">#{run.number}</span>
          <span className="part" />
          <span className="part ink">{state.word}</span>
          {rowParts(run).map((part) => (
            <span key={part.text} className="part">
              {part.text}
            </span>
          ))}
        </p>
        <p className="dense secondary">{stake(run)}</p>
      </div>
      <Strip run={run} />
      <span className="since">since {when(run.updatedAt, now)}</span>
      {run.status === 'waiting' ? (
        <Button look="primary" onClick={() => openRun(stores, run.runId)}>
          Open
        </Button>
      ) : (
        <Button onClick={() => openResume(stores, run)}>
          Resume…<span className="heard"> {`${run.title} ${run.number}`}</span>
        </Button>
      )}
    </li>
  )
}
