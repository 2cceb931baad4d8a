/** One cell a phase. Long workflows get narrower cells, so that the strip keeps its place in the row. */
import clsx from 'clsx'
import { assertNever } from '../../shared/assert-never.ts'
import type { Tone } from '../../shared/run/status.ts'
import type { RunSummary } from '../../shared/run/view.ts'
import { counted } from '../words/quantity.ts'

type Cell = RunSummary['strip'][number]

function cellTone(state: Cell['state']): Tone {
  switch (state) {
    case 'not-yet':
      return 'next'
    case 'done':
      return 'completed'
    case 'running':
    case 'waiting':
    case 'replayed':
    case 'failed':
    case 'stopped':
      return state
    default:
      return assertNever(state)
  }
}

export function stripWords(strip: readonly Cell[]): string {
  const reached = strip.filter((cell) => cell.state !== 'not-yet').length
  const failed = strip.filter((cell) => cell.state === 'failed').map((cell) => cell.title)
  return `${reached} of ${counted(strip.length, 'phase')}${failed.length === 0 ? '' : `, failures in ${failed.join(', ')}`}`
}

/** What a standing run's cells say besides: where it stands, and that a failure inside a completed run was survived. */
function inRun(tone: Tone, run: Pick<RunSummary, 'status'>): Tone {
  if (run.status === 'completed') return tone === 'failed' ? 'partial' : tone
  if (tone !== 'stopped' && tone !== 'running') return tone
  if (run.status === 'interrupted') return 'interrupted'
  return run.status === 'paused' ? 'waiting' : tone
}

export function Strip({ run }: { run: Pick<RunSummary, 'strip' | 'status'> }) {
  const { strip } = run
  if (strip.length === 0) return <span />
  return (
    <span className={clsx('strip', strip.length > 6 && 'strip--many')} role="img" aria-label={stripWords(strip)}>
      {strip.slice(0, 12).map((cell) => (
        <i key={cell.title} data-tone={inRun(cellTone(cell.state), run)} />
      ))}
    </span>
  )
}
