/** What the commands of the run page do to the timeline. */
import { useEffect, useRef } from 'react'
import type { CallRow, LaneRow, PhaseRow } from '../../../shared/run/lanes.ts'
import type { LaneControls } from '../../commands/command.ts'
import { useControls } from '../../commands/use-commands.ts'
import { useStores } from '../../store/stores.ts'
import type { Viewport } from './use-viewport.ts'

interface Input {
  rows: readonly LaneRow[]
  all: readonly PhaseRow[]
  calls: readonly CallRow[]
  selected: string | null
  focusRow: (id: string) => void
  viewport: Viewport | null
}

function wanted(row: CallRow, which: 'any' | 'call' | 'waiting' | 'failed'): boolean {
  if (which === 'waiting') return row.state.tone === 'waiting'
  if (which === 'failed') return row.state.tone === 'failed'
  return true
}

/** The next call of a kind after the selected one, around the end; from a lane it is its first one onwards. */
export function nextCall(
  input: Pick<Input, 'all' | 'calls' | 'selected'>,
  by: number,
  which: 'call' | 'waiting' | 'failed',
): CallRow | null {
  const { all, calls, selected } = input
  const lane = all.find((one) => one.id === selected)
  const first = lane?.calls[0]
  const at = first === undefined ? calls.findIndex((row) => row.id === selected) : calls.indexOf(first) - (by > 0 ? 1 : 0)
  for (let step = 1; step <= calls.length; step++) {
    const row = calls[(at + by * step + calls.length * 2) % calls.length]
    if (row !== undefined && wanted(row, which)) return row
  }
  return null
}

export function useLaneControls(input: Input): void {
  const controls = useControls()
  const { run: store, window: frame } = useStores()
  const latest = useRef(input)
  latest.current = input
  useEffect(() => {
    const go = (id: string) => {
      store.getState().select(id)
      latest.current.focusRow(id)
    }
    const goCall = (row: CallRow | null) => {
      if (row === null) return
      const lane = latest.current.all.find((one) => one.calls.includes(row))
      if (lane !== undefined && !lane.open) store.getState().toggle(lane.id, true)
      go(row.id)
    }
    const current = () => latest.current.rows.find((row) => row.id === latest.current.selected)
    const lanes: LaneControls = {
      zoomBy: (factor) => latest.current.viewport?.zoomBy(factor),
      fit: () => latest.current.viewport?.fit(),
      panBy: (share) => latest.current.viewport?.panBy(share * (latest.current.viewport?.width ?? 0)),
      follow: () => latest.current.viewport?.follow(),
      centre() {
        const { viewport } = latest.current
        const row = current()
        const span = row?.kind === 'phase' ? row.span : row?.bars.find((bar) => bar.kind === 'work')
        if (viewport === null || span == null) return
        const middle = (span.from + span.to) / 2
        const off = Math.abs(viewport.scale.toX(middle) - viewport.pan - viewport.width / 2)
        const room = Math.max(1, (span.to - span.from) * 0.2)
        if (off < 2 || viewport.zoom === 1) viewport.showRange({ from: Math.max(0, span.from - room), to: span.to + room })
        else viewport.centreOn(middle)
      },
      step(by, which) {
        const { rows, selected } = latest.current
        if (which !== 'any') return goCall(nextCall(latest.current, by, which))
        const at = rows.findIndex((row) => row.id === selected)
        const row = at === -1 ? rows[by > 0 ? 0 : rows.length - 1] : rows[at + by]
        if (row !== undefined) go(row.id)
      },
      fold(open) {
        const row = current()
        if (row === undefined) return
        const lane = latest.current.all.find((one) => one.id === row.id || one.calls.some((call) => call.id === row.id))
        if (lane === undefined) return
        if (row.kind === 'call') return open ? undefined : go(lane.id)
        if (lane.open !== open && lane.expandable) return store.getState().toggle(lane.id, open)
        const first = lane.calls[0]
        if (open && first !== undefined) go(first.id)
      },
      edge(where) {
        const { rows } = latest.current
        const row = where === 'first' ? rows[0] : rows.at(-1)
        if (row !== undefined) go(row.id)
      },
      inspect() {
        frame.getState().setInspector(true)
        requestAnimationFrame(() => document.querySelector<HTMLElement>('.inspector-head h2')?.focus())
      },
      focus() {
        const row = current() ?? latest.current.rows[0]
        if (row !== undefined) latest.current.focusRow(row.id)
      },
      pin() {
        const row = current()
        const { all } = latest.current
        const lane = all.find((one) => one.id === row?.id || one.calls.some((call) => call.id === row?.id))
        if (lane === undefined || all.length < 2) return frame.getState().say('There is no other lane to keep it above')
        const pinned = !store.getState().pinned.has(lane.id)
        store.getState().pin(lane.id, pinned)
        frame.getState().say(`${lane.title} ${pinned ? 'pinned on top' : 'back in its place'}`)
        if (row !== undefined) latest.current.focusRow(row.id)
      },
      copyOutput() {
        const row = current()
        if (row?.kind !== 'call') return
        const detail = store.getState().details[row.call.callId]
        if (detail === undefined || !('output' in detail) || detail.output === null)
          return frame.getState().say('There is no output to copy')
        const text = typeof detail.output === 'string' ? detail.output : JSON.stringify(detail.output, null, 2)
        void navigator.clipboard.writeText(text).then(() => frame.getState().say('Output copied'))
      },
    }
    controls.lanes = lanes
    return () => {
      if (controls.lanes === lanes) controls.lanes = null
    }
  }, [controls, store, frame])
}

/** When lanes and table change places, the row that had the focus has it again. */
export function useKeptFocus(selected: string | null, focusRow: (id: string) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when this face of the run appears
  useEffect(() => {
    if (selected !== null && document.activeElement === document.body) focusRow(selected)
  }, [])
}
