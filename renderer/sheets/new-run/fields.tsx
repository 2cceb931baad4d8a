/** Input and budget of a run: what was typed, and at once whether it can be used. */
import { useId } from 'react'
import { State } from '../../ui/glyph.tsx'
import { readBudget, readInput } from './run-input.ts'

export function InputField({ text, onText }: { text: string; onText: (text: string) => void }) {
  const id = useId()
  const read = readInput(text)
  return (
    <>
      <label className="form-label" htmlFor={id}>
        Input
      </label>
      <div>
        <textarea
          className={read.ok ? 'field' : 'field field--invalid'}
          id={id}
          rows={4}
          spellCheck={false}
          placeholder={'{ "label": "bug" }'}
          aria-describedby={`${id}-note`}
          aria-invalid={!read.ok}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
        <p className="form-note" id={`${id}-note`}>
          {text.trim() === '' ? (
            'JSON. Left empty, the script gets no input.'
          ) : read.ok ? (
            <>
              <State tone="completed">Valid JSON</State> It is kept with the run and used again on resume.
            </>
          ) : (
            <State tone="failed">{read.reason}</State>
          )}
        </p>
      </div>
    </>
  )
}

export function BudgetField({ text, onText, label = 'Budget' }: { text: string; onText: (text: string) => void; label?: string }) {
  const id = useId()
  const read = readBudget(text)
  return (
    <>
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      <div className="form-line">
        <input
          className={read.ok ? 'field form-short' : 'field form-short field--invalid'}
          id={id}
          placeholder="no limit"
          aria-describedby={`${id}-note`}
          aria-invalid={!read.ok}
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
        <span className="dense secondary" id={`${id}-note`}>
          {read.ok ? 'output tokens, such as 500k' : read.reason}
        </span>
      </div>
    </>
  )
}
