/** The log as a page of its own: filtered as one types, copied as it stands. */
import { useState } from 'react'
import type { RunView } from '../../../shared/run/view.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { counted } from '../../words/quantity.ts'
import { LogLines, logText } from './log-lines.tsx'

/** The view keeps so many of the newest lines. */
const KEPT = 200

export function LogMain({ view }: { view: RunView }) {
  const [text, setText] = useState('')
  const shown = view.log.filter((line) => line.text.toLowerCase().includes(text.toLowerCase()))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <main className="main log-main" aria-label="Log" data-place="run" tabIndex={0}>
      <div className="list-head">
        <h2>{counted(view.log.length, 'line')}</h2>
        {view.log.length >= KEPT && <span className="dense secondary">the newest; all of them are in the run's folder</span>}
        <input
          className="field list-filter"
          type="search"
          aria-label="Filter the log"
          placeholder="Filter"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <CopyButton what="Log" text={() => logText(shown)} />
      </div>
      {view.log.length === 0 && <p className="secondary">The script logged nothing so far.</p>}
      {view.log.length > 0 && shown.length === 0 && <p className="secondary">No line has “{text}”.</p>}
      <LogLines view={view} lines={shown} />
    </main>
  )
}
