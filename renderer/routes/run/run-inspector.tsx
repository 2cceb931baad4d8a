/** The run as a whole, shown while nothing is selected: facts, return value, log. */
import { useEffect } from 'react'
import { runState } from '../../../shared/run/status.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { useRun, useStores, useWindow } from '../../store/stores.ts'
import { State } from '../../ui/glyph.tsx'
import { counted, grouped, money, when } from '../../words/quantity.ts'
import { Block, FactList, InspectorHead } from './inspector-parts.tsx'
import { LogBlock } from './log-lines.tsx'
import { Worktrees } from './worktrees.tsx'

export function RunInspector({ view, now }: { view: RunView; now: number }) {
  const { run: store } = useStores()
  const value = useRun((state) => state.value)
  const project = useWindow((window) => window.project?.path)
  const path = project !== undefined && view.path.startsWith(`${project}/`) ? view.path.slice(project.length + 1) : view.path
  const state = runState(view)
  useEffect(() => {
    if (view.value !== null) void store.getState().loadValue()
  }, [view.value, store])
  const facts: [string, React.ReactNode][] = [
    ['Script', view.scriptChanged ? `${path}, changed since the attempt before` : path],
    ['Started', when(view.startedAt, now)],
  ]
  if (view.attempt > 1) facts.push(['Attempt', `${view.attempt}, started ${when(view.attemptStartedAt, now)}`])
  if (view.endedAt !== null) facts.push(['Ended', when(view.endedAt, now)])
  const carried = view.outputTokens > view.liveOutputTokens ? `, ${grouped(view.liveOutputTokens)} of them in this attempt` : ''
  facts.push(['Tokens', `${grouped(view.outputTokens)} out${carried}`])
  if (view.cost !== null && view.cost > 0) facts.push(['Cost', money(view.cost)])
  if (view.maxCost !== null) facts.push(['Money cap', money(view.maxCost)])
  if (view.backend !== null) facts.push(['Agent', view.backend])
  facts.push(['At once', `up to ${counted(view.concurrency, 'call')}`])
  return (
    <>
      <InspectorHead title={`${view.title} #${view.number}`}>
        <State tone={state.tone}>{state.word}</State>
      </InspectorHead>
      <FactList facts={facts} />
      {view.error?.stack !== undefined && <Block title="Error" text={view.error.stack} error />}
      {value !== null &&
        value.value !== undefined &&
        (typeof value.value === 'string' ? (
          <Block title="Return value" text={value.value} />
        ) : (
          <Block title="Return value" json={value.value} />
        ))}
      <Worktrees view={view} of={null} />
      <LogBlock view={view} />
    </>
  )
}
