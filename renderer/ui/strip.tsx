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

export function Strip({ strip, interrupted = false }: { strip: readonly Cell[]; interrupted?: boolean }) {
  if (strip.length === 0) return <span />
  return (
    <span className={clsx('strip', strip.length > 6 && 'strip--many')} role="img" aria-label={stripWords(strip)}>
      {strip.slice(0, 12).map((cell) => {
        const tone = cellTone(cell.state)
        return <i key={cell.title} data-tone={interrupted && (tone === 'stopped' || tone === 'running') ? 'interrupted' : tone} />
      })}
    </span>
  )
}
