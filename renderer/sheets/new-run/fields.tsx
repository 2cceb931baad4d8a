/** Input and limits of a run: what was typed, and at once whether it can be used. */
import { useId, useMemo } from 'react'
import { CodeEditor } from '../../ui/code-editor.tsx'
import { State } from '../../ui/glyph.tsx'
import { type Read, readBudget, readInput, readMoney } from './run-input.ts'

export function InputField({ text, onText }: { text: string; onText: (text: string) => void }) {
  const id = useId()
  const read = readInput(text)
  const fault = useMemo(() => (read.ok || read.line === undefined ? null : { ...read, line: read.line }), [read])
  const findings = useMemo(
    () => (fault === null ? [] : [{ severity: 'error' as const, message: fault.reason, line: fault.line, column: fault.column ?? 1 }]),
    [fault],
  )
  return (
    <>
      <span className="form-label">Input</span>
      <div>
        <div className={read.ok ? 'field-editor' : 'field-editor field-editor--invalid'}>
          <CodeEditor
            label="Input as JSON"
            text={text}
            readOnly={false}
            numbers={false}
            findings={findings}
            describedBy={`${id}-note`}
            invalid={!read.ok}
            onText={onText}
          />
        </div>
        <p className="form-note" id={`${id}-note`}>
          {text.trim() === '' ? (
            'JSON. Left empty, the script gets no input.'
          ) : read.ok ? (
            <>
              <State tone="completed">Valid JSON</State> It is kept with the run and used again on resume.
            </>
          ) : (
            <State tone="failed">
              {read.line === undefined ? '' : `Line ${read.line}: `}
              {read.reason}
            </State>
          )}
        </p>
      </div>
    </>
  )
}

export function MoneyField({ text, onText, label = 'Money cap' }: LimitProps) {
  return <LimitField {...{ text, onText, label }} read={readMoney(text)} unit="US dollars, where the agent tells prices" />
}

export function BudgetField({ text, onText, label = 'Budget' }: LimitProps) {
  return <LimitField {...{ text, onText, label }} read={readBudget(text)} unit="output tokens, such as 500k" />
}

interface LimitProps {
  text: string
  onText: (text: string) => void
  label?: string
}

function LimitField({ text, onText, label, read, unit }: Required<LimitProps> & { read: Read<number | undefined>; unit: string }) {
  const id = useId()
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
          {read.ok ? unit : read.reason}
        </span>
      </div>
    </>
  )
}
