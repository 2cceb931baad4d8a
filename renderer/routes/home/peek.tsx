/** The focused run beside the list: what happened, why, and what a resume would do. The focus stays in the list. */
import { useEffect, useMemo, useState } from 'react'
import type { ErrorData } from '../../../shared/errors.ts'
import { attemptMs, lanes } from '../../../shared/run/lanes.ts'
import { isLive, runState } from '../../../shared/run/status.ts'
import type { RunSummary, RunView } from '../../../shared/run/view.ts'
import { DEAD_REASON_WORDS, wordOf } from '../../../shared/words.ts'
import { canResume, openResume, openRun } from '../../commands/actions.ts'
import { useKeyHint } from '../../commands/use-commands.ts'
import { useStores } from '../../store/stores.ts'
import { useNow } from '../../store/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { State } from '../../ui/glyph.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TextBlock } from '../../ui/text-block.tsx'
import { duration, money, tokens, when } from '../../words/quantity.ts'
import { banner, stake } from '../../words/run-words.ts'
import { FactList } from '../run/inspector-parts.tsx'

type Loaded = { view: RunView } | { error: ErrorData } | null

function useView(run: RunSummary): Loaded {
  const { bridge } = useStores()
  const [loaded, setLoaded] = useState<Loaded>(null)
  const { runId, updatedAt } = run
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer sign of the same run means to look again
  useEffect(() => {
    let current = true
    void bridge.runs.show({ runId }).then((answer) => {
      if (current) setLoaded(answer.ok ? { view: answer.value } : { error: answer.error })
    })
    return () => {
      current = false
    }
  }, [bridge, runId, updatedAt])
  return loaded
}

export function Peek({ run }: { run: RunSummary }) {
  const stores = useStores()
  const loaded = useView(run)
  const hints = { resume: useKeyHint('list-resume'), open: useKeyHint('list-open'), peek: useKeyHint('list-peek') }
  const state = runState(run)
  return (
    <aside className="peek" aria-label={`Peek: ${run.title} ${run.number}`}>
      <header>
        <div>
          <h2 className="clip">
            {run.title} <span className="number">#{run.number}</span>
          </h2>
          <State tone={state.tone}>{state.word}</State>
        </div>
        <Button look="quiet" icon aria-label="Close peek" onClick={() => stores.history.getState().setPeek(false)}>
          <Icon name="close" />
        </Button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <section className="peek-body" tabIndex={0} aria-label="Summary">
        {loaded !== null && 'error' in loaded && <Failure error={loaded.error} />}
        {loaded !== null && 'view' in loaded && loaded.view.runId === run.runId && <Body view={loaded.view} run={run} />}
      </section>
      <footer>
        {canResume(run) && (
          <Button look="primary" hint={hints.resume} onClick={() => openResume(stores, run)}>
            Resume…
          </Button>
        )}
        <Button hint={hints.open} onClick={() => openRun(stores, run.runId)}>
          Open
        </Button>
        {hints.peek !== undefined && <span className="push dense secondary">{hints.peek} closes</span>}
      </footer>
    </aside>
  )
}

function Body({ view, run }: { view: RunView; run: RunSummary }) {
  const now = useNow(isLive(view.status))
  const said = banner(view, now)
  const dead = view.calls.filter((call) => call.status === 'dead')
  const took = (view.endedAt ?? (isLive(view.status) ? now : view.updatedAt)) - view.attemptStartedAt
  const facts: [string, React.ReactNode][] = [
    ['Time', `${duration(Math.max(0, took))}, since ${when(view.attemptStartedAt, now)}`],
    ['Tokens', view.budget === null ? tokens(view.outputTokens) : `${tokens(view.outputTokens)} of ${tokens(view.budget)}`],
  ]
  if (view.cost !== null && view.cost > 0) facts.push(['Cost', money(view.cost)])
  if (view.attempts.length > 1) facts.push(['Attempts', String(view.attempts.length)])
  if (view.backend !== null) facts.push(['Agent', view.backend])
  return (
    <>
      <MiniLanes view={view} now={now} />
      {view.status === 'failed' && view.error !== null && (
        <section className="block">
          <header>
            <h3>Why it failed</h3>
          </header>
          <TextBlock
            label="Why it failed"
            error
            text={`${view.error.line === undefined ? '' : `Line ${view.error.line}: `}${view.error.message}`}
          />
        </section>
      )}
      {said !== null && (
        <section className="block">
          <header>
            <h3>{said.title}</h3>
          </header>
          {said.text !== null && view.status !== 'failed' && <p className="dense">{said.text}</p>}
        </section>
      )}
      {dead.length > 0 && (
        <section className="block">
          <header>
            <h3>Died</h3>
            <span>{dead.length}</span>
          </header>
          {dead.slice(0, 3).map((call) => (
            <TextBlock
              key={call.callId}
              label={call.label ?? call.title}
              error
              text={`${call.label ?? call.title}: ${wordOf(DEAD_REASON_WORDS, call.reason ?? '')}${call.detail === null ? '' : `\n${call.detail}`}`}
            />
          ))}
        </section>
      )}
      {canResume(run) && (
        <section className="block">
          <header>
            <h3>If you resume</h3>
          </header>
          <p className="dense secondary">{stake(run)}</p>
        </section>
      )}
      <FactList facts={facts} />
    </>
  )
}

/** One line a phase, its calls as bars: where the time went and where it stopped. */
function MiniLanes({ view, now }: { view: RunView; now: number }) {
  const all = useMemo(() => lanes(view, { now, toggled: new Map() }), [view, now])
  const end = Math.max(1, attemptMs(view, now))
  return (
    <div className="mini" role="img" aria-label={all.map((lane) => `${lane.title} ${lane.state.word}`).join(', ')}>
      {all.map((lane) => (
        <div key={lane.id}>
          <span className="clip">{lane.title}</span>
          <span className="mini-lane">
            {lane.calls.slice(0, 200).map((row) => {
              const bar = row.bars.find((one) => one.kind === 'work')
              if (bar === undefined) return null
              return (
                <i
                  key={row.id}
                  data-tone={row.state.tone}
                  style={{ '--from': (100 * bar.from) / end, '--share': Math.max(0.6, (100 * (bar.to - bar.from)) / end) }}
                />
              )
            })}
            {lane.span === null && lane.replayedMs !== null && <span className="mini-note">↺ {lane.calls.length} replayed</span>}
          </span>
        </div>
      ))}
    </div>
  )
}
