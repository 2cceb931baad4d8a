/** One run of the list: mark, name, one plain sentence, phases, amounts. */
import { memo } from 'react'
import { isLive, runState } from '../../../shared/run/status.ts'
import type { RunSummary } from '../../../shared/run/view.ts'
import { openRun } from '../../commands/actions.ts'
import { useStores } from '../../store/stores.ts'
import { useNow } from '../../store/use-now.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { Strip } from '../../ui/strip.tsx'
import { counted, duration, timeOfDay, tokens } from '../../words/quantity.ts'
import { rowParts } from '../../words/run-words.ts'

export const COLUMNS = ['Mark', 'Run', 'State', 'Phases', 'Calls', 'Output tokens', 'Time', 'Started'] as const

/** Scrolling leaves a row alone that stays in view. */
export const RunRow = memo(function RunRow({ run, index, focusable }: { run: RunSummary; index: number; focusable: boolean }) {
  const stores = useStores()
  const now = useNow(isLive(run.status))
  const state = runState(run)
  const calls = run.counts.ok + run.counts.dead + run.counts.skipped + run.counts.abandoned + run.queued
  const took = (run.endedAt ?? (isLive(run.status) ? now : run.updatedAt)) - run.startedAt
  // Completed is what most rows are: in ink, so that colour is left for what needs a look.
  const quietWord = run.status === 'completed'
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the row is the command "Open the run"
    <div
      className="run-row"
      role="row"
      aria-rowindex={index}
      aria-selected={focusable}
      tabIndex={focusable ? 0 : -1}
      data-run={run.runId}
      onFocus={() => stores.history.getState().setFocused(run.runId)}
      onClick={() => openRun(stores, run.runId)}
    >
      <span role="gridcell">
        <Glyph tone={state.tone} />
        <span className="heard">{state.word}</span>
      </span>
      <span role="rowheader">
        <span className="name clip">{run.title}</span>
        <span className="number">#{run.number}</span>
      </span>
      <span role="gridcell" className="secondary">
        <span className="clip">
          <span className={quietWord ? 'part strong' : 'part ink'} data-tone={state.tone}>
            {run.status === 'killed' ? 'Stopped' : state.word}
          </span>
          {rowParts(run).map((part) => (
            <span key={part.text} className={part.failed ? 'part ink' : 'part'} data-tone={part.failed ? 'failed' : undefined}>
              {part.text}
            </span>
          ))}
        </span>
      </span>
      <span role="gridcell">
        <Strip run={run} />
      </span>
      <span role="gridcell" className="amount">
        {counted(calls, 'call')}
      </span>
      <span role="gridcell" className="amount optional">
        {tokens(run.outputTokens)}
      </span>
      <span role="gridcell" className="amount amount--time">
        {duration(Math.max(0, took))}
      </span>
      <span role="gridcell" className="amount amount--start optional">
        {timeOfDay(run.startedAt)}
      </span>
    </div>
  )
})
