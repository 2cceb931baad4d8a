/** Under the bar: what happened (when it ended or stands), how many calls are where, what it cost. */
import { callState, isLive, runState } from '../../../shared/run/status.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { isPast, showAttempt } from '../../commands/actions.ts'
import { useControls } from '../../commands/use-commands.ts'
import { useRun, useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TokenMeter } from '../../ui/meter.tsx'
import { duration, money, timeOfDay } from '../../words/quantity.ts'
import { banner } from '../../words/run-words.ts'
import { useWorktrees } from './use-worktrees.ts'
import { openGate, WaysOut } from './ways-out.tsx'

export function Summary({ view, now }: { view: RunView; now: number }) {
  const { run: store } = useStores()
  const stale = useRun((state) => state.staleSince)
  const said = banner(view, now)
  const state = runState(view)
  return (
    <div className="summary">
      {stale !== null && (
        <section className="banner" data-tone="warning" aria-label="Updates">
          <Glyph tone="warning" large />
          <div>
            <h2>Not updating since {timeOfDay(stale)}</h2>
            <p>What you see is the last that was read. Actions are off until updates return.</p>
          </div>
          <div className="banner-actions">
            <Button onClick={() => void store.getState().refetch()}>Retry</Button>
          </div>
        </section>
      )}
      {isPast(view) && <PastNote view={view} />}
      {said !== null && stale === null && !isPast(view) && (
        <section className="banner" data-tone={state.tone === 'partial' ? 'failed' : state.tone} aria-label="What happened">
          <Glyph tone={state.tone === 'partial' ? 'failed' : state.tone} large />
          <div>
            <h2>{said.title}</h2>
            {said.text !== null && <p>{said.text}</p>}
          </div>
          <WaysOut view={view} />
        </section>
      )}
      <Counts view={view} />
    </div>
  )
}

/** An attempt before the newest one: what it is, and the way back. */
function PastNote({ view }: { view: RunView }) {
  const stores = useStores()
  const newest = Math.max(...view.attempts.map(({ attempt }) => attempt))
  return (
    <section className="banner banner--past" aria-label="Earlier attempt">
      <Icon name="script" />
      <div>
        <h2>
          Attempt {view.attempt} of {view.attempts.length}, as it ended. Read-only.
        </h2>
        <p>{runState(view).word}. What it made stays readable here; a later attempt went on from its results.</p>
      </div>
      <div className="banner-actions">
        <Button hint="]" onClick={() => void showAttempt(stores, newest)}>
          Show attempt {newest}
        </Button>
      </div>
    </section>
  )
}

/** Copies of the project that wait for somebody to say what becomes of them. */
function LeftWorktrees({ view }: { view: RunView }) {
  const { run, window: frame } = useStores()
  const left = useWorktrees(view, view.endedAt).filter((one) => !one.atWork && one.files.length > 0).length
  if (left === 0) return null
  return (
    <button
      type="button"
      className="link"
      onClick={() => {
        run.getState().select(null)
        frame.getState().setInspector(true)
      }}
    >
      {left === 1 ? '1 worktree with changes is left' : `${left} worktrees with changes are left`}
    </button>
  )
}

function Counts({ view }: { view: RunView }) {
  const { window: frame } = useStores()
  const controls = useControls()
  const calls = view.calls.filter((call) => call.kind === 'agent' || call.kind === 'check')
  const states = view.calls.map((call) => callState(call, view.status).tone)
  const many = (tone: string) => states.filter((one) => one === tone).length
  const replayed = calls.filter((call) => call.source === 'replayed')
  const queued = many('queued')
  const live = calls.filter((call) => call.source === 'live' && call.startedAt !== null).length
  const savedMs = replayed.reduce((sum, call) => sum + (call.ms ?? 0), 0)
  const waiting = many('waiting')
  const gate = isPast(view) ? undefined : openGate(view)
  const second = [
    { n: many('running'), word: 'running', tone: 'running' },
    { n: many('failed'), word: 'died', tone: 'failed' },
    { n: many('interrupted'), word: 'cut off', tone: 'interrupted' },
    { n: many('stopped'), word: 'not finished', tone: 'stopped' },
    { n: many('skipped'), word: 'skipped', tone: 'skipped' },
  ].filter(({ n }) => n > 0)
  return (
    <section className="counts" aria-label="Summary">
      <span className="parts">
        {replayed.length > 0 && (
          <span className="ink" data-tone="replayed">
            {replayed.length} replayed
          </span>
        )}
        {replayed.length > 0 || isLive(view.status) ? (
          <span className="strong">{live} live</span>
        ) : (
          <span className="ink" data-tone="completed">
            {view.counts.ok} done and saved
          </span>
        )}
        {queued > 0 && <span>{queued} queued</span>}
      </span>
      {second.length > 0 && (
        <span className="parts">
          {second.map(({ n, word, tone }) => (
            <span key={word} className="ink" data-tone={tone}>
              {n} {word}
            </span>
          ))}
        </span>
      )}
      {savedMs > 0 && <span>Saved {duration(savedMs)}</span>}
      <TokenMeter used={view.outputTokens} live={view.liveOutputTokens} budget={view.budget} />
      {view.cost !== null && view.cost > 0 && <span>{money(view.cost)}</span>}
      {view.backend === 'simulated' && <span>Simulated: nothing real was started</span>}
      {view.badLines.length > 0 && (
        <span className="ink" data-tone="warning">
          {view.badLines.length === 1
            ? `Journal line ${view.badLines[0]?.line ?? 0} could not be read; all others are safe`
            : `${view.badLines.length} journal lines could not be read; all others are safe`}
        </span>
      )}
      {!isPast(view) && <LeftWorktrees view={view} />}
      {waiting > 0 && (
        <Button
          look="attention"
          className="push"
          data-tone="waiting"
          hint={gate === undefined ? 'G' : undefined}
          onClick={() => {
            if (gate !== undefined) return frame.getState().openSheet({ name: 'gate', runId: view.runId, callId: gate.callId })
            frame.getState().setInspector(true)
            controls.lanes?.step(1, 'waiting')
          }}
        >
          <Glyph tone="waiting" />
          {waiting === 1 ? '1 call waits for you' : `${waiting} calls wait for you`}
        </Button>
      )}
    </section>
  )
}
