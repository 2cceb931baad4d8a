/**
 * A gate over the run page: what is asked, what is shown, one button for each choice in the order given. A choice is bound
 * to the text that stands here; when the file became another one, nothing is decided and the new text is shown.
 */
import { useEffect, useId, useState } from 'react'
import type { ErrorData } from '../../../shared/errors.ts'
import { isLive } from '../../../shared/run/status.ts'
import type { CallView, RunView } from '../../../shared/run/view.ts'
import { decideGate, stopRun, whyNoStop } from '../../commands/actions.ts'
import { showKey } from '../../commands/keys.ts'
import { Block } from '../../routes/run/inspector-parts.tsx'
import { useRun, useStores } from '../../store/stores.ts'
import { useNow } from '../../store/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Difference } from '../../ui/difference.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Glyph, State } from '../../ui/glyph.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { counted, duration } from '../../words/quantity.ts'
import { saved } from '../../words/run-words.ts'
import { type GateText, gateDetail } from './gate-detail.ts'

export function GateSheet({ runId, callId }: { runId: string; callId: number }) {
  const stores = useStores()
  const close = stores.window.getState().closeSheet
  const view = useRun((state) => (state.view?.runId === runId ? state.view : null))
  const call = view?.calls.find((one) => one.callId === callId)
  const waits = call?.status === 'waiting'
  // Decided elsewhere, or the run went on without it: there is nothing left to ask.
  useEffect(() => {
    if (view !== null && !waits) close()
  }, [view, waits, close])
  if (view === null || call === undefined) return null
  return <Open view={view} call={call} onClose={close} />
}

function Open({ view, call, onClose }: { view: RunView; call: CallView; onClose: () => void }) {
  const stores = useStores()
  const id = useId()
  const stale = useRun((state) => state.staleSince !== null)
  const detail = useRun((state) => state.details[call.callId])
  const [note, setNote] = useState('')
  const [sent, setSent] = useState<string | null>(null)
  const [error, setError] = useState<ErrorData | null>(null)
  useEffect(() => {
    void stores.run.getState().loadDetail(call.callId)
  }, [stores, call.callId])
  const loaded = detail !== undefined && 'params' in detail ? gateDetail(detail) : null
  const [first, ...others] = call.options ?? []
  const whyNot = stale
    ? 'Off until updates return'
    : loaded === null
      ? 'What the gate shows is being read'
      : sent === null
        ? null
        : `“${sent}” is on its way`

  const decide = async (choice: string | undefined) => {
    if (choice === undefined || whyNot !== null) return
    setSent(choice)
    setError(null)
    const problem = await decideGate(stores, view, call, { choice, note, seen: loaded?.shown?.sha256 ?? null })
    setSent(null)
    if (problem === null) return onClose()
    setError(problem)
    if (problem.code === 'gate-stale') await stores.run.getState().loadDetail(call.callId)
  }
  const reveal = async () => {
    const answer = await stores.bridge.runs.revealShown({ runId: view.runId, callId: call.callId })
    if (!answer.ok) setError(answer.error)
  }
  const stop = () => {
    onClose()
    void stopRun(stores, view)
  }

  return (
    <Sheet
      wide
      focusTitle
      title={`${view.title} #${view.number} asks: ${loaded?.question ?? call.title}`}
      lead={<Standing view={view} call={call} />}
      onClose={onClose}
      onConfirm={() => void decide(first)}
      footer={
        <>
          {loaded?.shown?.sha256 != null && (
            <span className="note">
              Applies to this exact text, <code>{loaded.shown.sha256.slice(0, 8).replace(/(.{4})(?=.)/g, '$1 ')}</code>
            </span>
          )}
          <span className="push" />
          <Button look="quiet" hint="esc" onClick={onClose}>
            Later
          </Button>
          <Button whyNot={whyNoStop(view, stale)} onClick={stop}>
            Stop the run
          </Button>
          {others.map((choice) => (
            <Button key={choice} whyNot={whyNot} onClick={() => void decide(choice)}>
              {choice}
            </Button>
          ))}
          {first !== undefined && (
            <Button look="primary" hint={showKey('Mod+Enter')} whyNot={whyNot} onClick={() => void decide(first)}>
              {first}
            </Button>
          )}
        </>
      }
    >
      {error !== null && <Failure error={error} />}
      {detail !== undefined && 'code' in detail && (
        <Failure error={detail} retry={() => void stores.run.getState().loadDetail(call.callId)} />
      )}
      {loaded?.shown != null && <Shown shown={loaded.shown} reveal={() => void reveal()} />}
      <dl className="choices">
        {(call.options ?? []).map((choice) => (
          <Choice key={choice} name={choice} words="the run goes on with this answer" />
        ))}
        <Choice
          name="Stop the run"
          words={`${counted(saved(view.counts), 'result')} ${saved(view.counts) === 1 ? 'stays' : 'stay'} saved; you can resume later`}
        />
      </dl>
      <div>
        <label className="dense secondary" htmlFor={id}>
          Note for the script, optional
        </label>
        <textarea className="field" id={id} rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
      </div>
    </Sheet>
  )
}

function Choice({ name, words }: { name: string; words: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{words}</dd>
    </>
  )
}

/** Since when it waits, where in the run, and whether anything else goes on. */
function Standing({ view, call }: { view: RunView; call: CallView }) {
  const now = useNow(true)
  const place = view.phases.findIndex((phase) => phase.title === call.phase)
  const others = isLive(view.status) ? view.calls.filter((one) => one.status === 'running' || one.status === 'retrying').length : 0
  const due = call.wakeAt === undefined ? null : call.wakeAt - now
  return (
    <span className="parts">
      <State tone="waiting">Waiting {duration(Math.max(0, now - (call.startedAt ?? call.queuedAt)))}</State>
      {place !== -1 && (
        <span>
          {call.phase}, phase {place + 1} of {view.phases.length}
        </span>
      )}
      <span>{others === 0 ? 'nothing else is running' : `${counted(others, 'call')} ${others === 1 ? 'goes' : 'go'} on meanwhile`}</span>
      {due !== null && due > 0 && <span>ends by itself in {duration(due)}</span>}
    </span>
  )
}

function Shown({ shown, reveal }: { shown: GateText; reveal: () => void }) {
  return (
    <>
      {shown.before !== null && (
        <div className="notice" data-tone="warning">
          <Glyph tone="warning" />
          <span>{shown.path} changed since the gate opened. This is the text as it is now; your choice applies to it.</span>
        </div>
      )}
      <Block title={shown.path ?? 'To look at'} text={shown.text}>
        {shown.path !== null && (
          <Button look="quiet" icon aria-label={`Show ${shown.path} in the file manager`} title="Show in the file manager" onClick={reveal}>
            <Icon name="open" />
          </Button>
        )}
      </Block>
      {shown.before !== null && (
        <details>
          <summary className="link">What changed</summary>
          <Difference before={shown.before} after={shown.text} />
        </details>
      )}
    </>
  )
}
