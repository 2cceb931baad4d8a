/** A gate that waits: its question, what it shows, a note, and one button for each choice in the order given. */
import { useId, useState } from 'react'
import type { Json } from '../../../shared/json.ts'
import type { CallView, RunView } from '../../../shared/run/view.ts'
import { decideGate } from '../../commands/actions.ts'
import { useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Block } from './inspector-parts.tsx'

export interface GateDetail {
  params: Json
  shown?: { path: string; text: string }
}

/** @param detail null until it is loaded: what the gate shows is part of what is decided, so nothing can be chosen before */
export function GateBlock({ call, view, detail }: { call: CallView; view: RunView; detail: GateDetail | null }) {
  const stores = useStores()
  const id = useId()
  const [note, setNote] = useState('')
  const [sent, setSent] = useState<string | null>(null)
  const shown = detail === null ? null : shownBy(detail)
  const whyNot = detail === null ? 'What the gate shows is being read' : sent === null ? null : `“${sent}” is on its way`
  const decide = async (choice: string) => {
    setSent(choice)
    if (!(await decideGate(stores, view, call, { choice, note }))) setSent(null)
  }
  return (
    <section className="block gate" aria-label="Your decision">
      <header>
        <h3>Waits for you</h3>
      </header>
      <p>{questionOf(detail) ?? call.title}</p>
      {shown !== null && <Block title={shown.path ?? 'To look at'} text={shown.text} />}
      <label className="dense secondary" htmlFor={id}>
        Note for the script
      </label>
      <textarea className="field" id={id} rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
      <div className="gate-choices">
        {(call.options ?? []).map((choice, i) => (
          <Button key={choice} look={i === 0 ? 'primary' : 'plain'} whyNot={whyNot} onClick={() => void decide(choice)}>
            {choice}
          </Button>
        ))}
      </div>
      {view.endedAt !== null && (
        <p className="dense secondary">Nobody is at work on this run: your choice is saved, and a resume goes on with it.</p>
      )}
    </section>
  )
}

function shownBy({ params, shown }: GateDetail): { path: string | null; text: string } | null {
  if (shown !== undefined) return shown
  const show = member(params, 'show')
  return typeof show === 'string' ? { path: null, text: show } : null
}

function questionOf(detail: GateDetail | null): string | null {
  const question = detail === null ? null : member(detail.params, 'question')
  return typeof question === 'string' ? question : null
}

function member(params: Json, name: string): Json | undefined {
  return typeof params === 'object' && params !== null && !Array.isArray(params) ? params[name] : undefined
}
