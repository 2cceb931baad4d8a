/** The main pane of home: tabs, filter, needs-you block, list or the reason why there is none. */
import { useRef, useState } from 'react'
import { needsYou } from '../../../shared/run/status.ts'
import type { RunSummary } from '../../../shared/run/view.ts'
import { showKey } from '../../commands/keys.ts'
import type { Tab } from '../../store/history-store.ts'
import { inTab, TABS, visibleRuns } from '../../store/history-store.ts'
import { useHistory, useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { NARROW, useMedia } from '../../ui/use-media.ts'
import { Blank } from './blank.tsx'
import { NeedsYou } from './needs-you.tsx'
import { RunList } from './run-list.tsx'

const TAB_WORDS: Record<Tab, string> = { all: 'All', running: 'Running', 'needs-you': 'Needs you', failed: 'Failed' }
/** More than these would push the list off the screen; the tab has them all. */
const NEEDS_SHOWN = 3

export function RunsMain({ frame }: { frame: HTMLDivElement | null }) {
  const stores = useStores()
  // An element that a child scrolls in has to be known when the child is laid out, so it is state and no ref.
  const [main, setMain] = useState<HTMLElement | null>(null)
  const narrow = useMedia(NARROW)
  const state = useHistory((history) => history)
  const filter = useRef<HTMLInputElement>(null)
  const shown = visibleRuns(state)
  const attention = state.tab === 'all' ? shown.filter((run) => needsYou(run)) : []
  const above = attention.slice(0, NEEDS_SHOWN)
  const rows = shown.filter((run) => !above.includes(run))
  return (
    <main className="main" aria-label="Runs" data-place="list" ref={setMain}>
      <div className="list-head">
        <h1>Runs</h1>
        <Tabs tab={state.tab} runs={state.runs} total={state.total} />
        <input
          ref={filter}
          className="field list-filter"
          type="search"
          aria-label="Filter runs"
          placeholder="Filter  /"
          value={state.text}
          onChange={(event) => state.setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            state.setText('')
            main?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus()
          }}
        />
        <Button hint={showKey('N')} onClick={() => stores.window.getState().openSheet({ name: 'new-run', target: null })}>
          New run
        </Button>
      </div>
      {state.error !== null && <Failure error={state.error} retry={() => void state.load()} />}
      {state.waiting.length > 0 && (
        <Button className="new-runs" onClick={state.takeWaiting}>
          {state.waiting.length === 1 ? '1 new run' : `${state.waiting.length} new runs`}
        </Button>
      )}
      {above.length > 0 && <NeedsYou runs={above} all={attention.length} />}
      {rows.length > 0 && <RunList runs={rows} scroller={narrow ? frame : main} filter={filter} />}
      {shown.length === 0 && <Blank />}
      {state.runs.length < state.total && (
        <Button className="list-more" onClick={() => void state.loadMore()}>
          Show older runs
        </Button>
      )}
    </main>
  )
}

function Tabs({ tab, runs, total }: { tab: Tab; runs: readonly RunSummary[]; total: number }) {
  const { setTab } = useStores().history.getState()
  return (
    <div className="tabs" role="group" aria-label="Show">
      {TABS.map((name) => (
        <button key={name} type="button" className="tab" aria-pressed={tab === name} onClick={() => setTab(name)}>
          {TAB_WORDS[name]}
          <span>{name === 'all' ? total : runs.filter((run) => inTab(run, name)).length}</span>
        </button>
      ))}
    </div>
  )
}
