/** Old and new text, changed lines marked by sign and tint. */
import clsx from 'clsx'
import { lineDiff } from '../words/line-diff.ts'

const SIGN = { same: ' ', old: '−', new: '+' } as const
const SAID = { same: '', old: 'Removed: ', new: 'Added: ' } as const

export function Difference({ before, after }: { before: string; after: string }) {
  const lines = lineDiff(before, after).map((line, place) => ({ ...line, place }))
  return (
    <div className="difference">
      {lines.map((line) => (
        <div key={line.place} className={clsx(line.kind === 'new' && 'is-new', line.kind === 'old' && 'is-old')}>
          <b aria-hidden="true">{SIGN[line.kind]}</b>
          <span>
            {line.kind !== 'same' && <span className="heard">{SAID[line.kind]}</span>}
            {line.text}
          </span>
        </div>
      ))}
    </div>
  )
}
