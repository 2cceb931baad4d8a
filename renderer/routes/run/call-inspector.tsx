/** Everything about one call: state, why live, times, tokens, prompt, output or error. */
import { useEffect } from 'react'
import type { Json } from '../../../shared/json.ts'
import type { CallRow } from '../../../shared/run/lanes.ts'
import { idleMs, isLive } from '../../../shared/run/status.ts'
import { clock } from '../../../shared/run/timeline.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { DEAD_REASON_WORDS, WHY_LIVE_WORDS, wordOf } from '../../../shared/words.ts'
import { isPast } from '../../commands/actions.ts'
import { useRun, useStores } from '../../store/stores.ts'
import { Failure } from '../../ui/failure.tsx'
import { State } from '../../ui/glyph.tsx'
import { idleWords } from '../../words/idle.ts'
import { duration, exactTime, grouped, money } from '../../words/quantity.ts'
import { whyLiveSentence } from '../../words/why-live.ts'
import { CallActions } from './call-actions.tsx'
import { Compare } from './compare.tsx'
import { EvidenceView, readEvidence } from './evidence.tsx'
import { GateBlock } from './gate-block.tsx'
import { Block, FactList, InspectorHead } from './inspector-parts.tsx'
import { callName } from './lane-rows.tsx'
import { Transcript } from './transcript.tsx'
import { Worktrees } from './worktrees.tsx'

export function CallInspector({ row, view, now }: { row: CallRow; view: RunView; now: number }) {
  const { run: store } = useStores()
  const { call, state } = row
  const detail = useRun((run) => run.details[call.callId])
  useEffect(() => {
    if (detail === undefined) void store.getState().loadDetail(call.callId)
  }, [detail, call.callId, store])
  const time = row.replayedMs ?? row.workedMs
  const loaded = detail !== undefined && 'params' in detail ? detail : null
  const idle = idleWords(call, now)
  const evidence = call.kind === 'check' && loaded !== null ? readEvidence(loaded.output) : null
  return (
    <>
      <InspectorHead title={callName(row)}>
        <State tone={state.tone}>
          {state.word}
          {call.endedAt === null && time !== null ? ` ${isLive(view.status) ? 'for' : 'after'} ${duration(time)}` : ''}
        </State>
        <span className="secondary">{sourceWords(row)}</span>
      </InspectorHead>
      <Why row={row} attempt={view.attempt} />
      {detail !== undefined && 'code' in detail && <Failure error={detail} retry={() => void store.getState().loadDetail(call.callId)} />}
      <Facts row={row} view={view} now={now} />
      <CallActions call={call} view={view} />
      {call.status === 'dead' && (
        <Block
          title="Error"
          text={call.detail ?? wordOf(DEAD_REASON_WORDS, call.reason ?? '')}
          note={wordOf(DEAD_REASON_WORDS, call.reason ?? '')}
          error
        />
      )}
      {call.kind === 'gate' && call.status === 'waiting' && view.allowedActions.includes('decide') && <GateBlock call={call} view={view} />}
      {call.endedAt === null && call.lastProgress !== null && (
        <Block title="Last sign" text={call.lastProgress} {...(idle === null ? {} : { note: idle })} />
      )}
      {call.kind === 'agent' && !isPast(view) && <Worktrees view={view} of={call.callId} />}
      {call.kind === 'agent' && <Transcript call={call} view={view} />}
      {loaded !== null && <Asked params={loaded.params} />}
      {loaded !== null && <Compare call={call} view={view} detail={loaded} />}
      {loaded !== null && evidence !== null && <EvidenceView evidence={evidence} />}
      {loaded !== null && evidence === null && <Output output={loaded.output} ended={call.endedAt !== null} ok={call.status === 'ok'} />}
    </>
  )
}

function sourceWords(row: CallRow): string {
  const { call } = row
  if (call.source === 'replayed') return call.fromAttempt === null ? '' : ` from attempt ${call.fromAttempt}`
  if (row.state.tone === 'next') return ''
  return call.endedAt !== null && row.workedMs !== null ? ` after ${duration(row.workedMs)}, live` : ', live'
}

function Why({ row, attempt }: { row: CallRow; attempt: number }) {
  const { call, state } = row
  if (call.source === 'replayed') {
    return <p className="dense secondary">Taken from the journal: nothing was executed and nothing was spent for it in this attempt.</p>
  }
  if (state.tone === 'interrupted' || (state.tone === 'stopped' && call.endedAt === null)) {
    return <p className="dense secondary">It had no result yet when the attempt ended, so it runs again on resume.</p>
  }
  // In the first attempt everything is live: there is nothing to explain.
  if (call.whyLive === null || attempt === 1) return null
  return (
    <p className="dense secondary">
      Live, <span className="strong">{WHY_LIVE_WORDS[call.whyLive]}</span>: {whyLiveSentence(call.whyLive)}
    </p>
  )
}

function Facts({ row, view, now }: { row: CallRow; view: RunView; now: number }) {
  const { call } = row
  const place = view.calls.findIndex((one) => one.callId === call.callId) + 1
  const live = call.source === 'live'
  const facts: [string, React.ReactNode][] = [['Phase', `${call.phase ?? 'outside every phase'}, call ${place} of ${view.calls.length}`]]
  if (live && call.startedAt !== null) {
    const waited = call.startedAt - call.queuedAt
    if (waited >= 1000) facts.push(['Queued', duration(waited)])
    facts.push(['Started', `${exactTime(call.startedAt)}, ${clock(call.startedAt - view.attemptStartedAt)} into the attempt`])
  } else if (live && call.endedAt === null) facts.push(['Queued', `for ${duration(Math.max(0, now - call.queuedAt))}`])
  const idle = idleMs(call, now)
  if (idle !== null) facts.push(['Idle', `for ${duration(idle)}`])
  if (call.ms !== null) facts.push([live ? 'Worked' : 'Took then', duration(call.ms)])
  if (call.tries > 1) facts.push(['Tries', String(call.tries)])
  if (call.outputTokens > 0 || call.inputTokens > 0)
    facts.push(['Tokens', `${grouped(call.outputTokens)} out, ${grouped(call.inputTokens)} in`])
  if (call.cost !== null && call.cost > 0) facts.push(['Cost', money(call.cost)])
  const agent = [call.agent ?? call.backend, call.model].filter((part) => part !== null)
  if (agent.length > 0) facts.push(['Agent', agent.join(', ')])
  if (call.session !== undefined) facts.push(['Session', <code key="session">{call.session}</code>])
  facts.push(['Fingerprint', <code key="fp">{call.fp.slice(0, 12).replace(/(.{4})(?=.)/g, '$1 ')}</code>])
  return <FactList facts={facts} />
}

/** What was asked: the prompt as text, everything else that went with it as a tree. */
function Asked({ params }: { params: Json }) {
  if (params === null || typeof params !== 'object' || Array.isArray(params)) return null
  const { prompt, ...rest } = params
  return (
    <>
      {typeof prompt === 'string' && <Block title="Prompt" text={prompt} note={`${grouped(prompt.length)} characters`} />}
      {Object.keys(rest).length > 0 && <Block title={typeof prompt === 'string' ? 'Options' : 'Asked'} json={rest} />}
    </>
  )
}

function Output({ output, ended, ok }: { output: Json | null; ended: boolean; ok: boolean }) {
  if (!ended) {
    return (
      <section className="block">
        <header>
          <h3>Output</h3>
        </header>
        <p className="dense secondary">None yet. A result is on disk before the script gets it.</p>
      </section>
    )
  }
  if (!ok) return null
  return typeof output === 'string' ? (
    <Block title="Output" text={output} note={`${grouped(output.length)} characters`} />
  ) : (
    <Block title="Output" json={output} />
  )
}
