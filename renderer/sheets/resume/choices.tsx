/** What a person decides about a resume: how much is reused, and what happens to calls that were under way. */
import { useState } from 'react'
import type { ResumePlan } from '../../../shared/run/plan.ts'
import { ChoiceMenu } from '../../ui/choice-menu.tsx'
import { plannedName } from './plan-parts.tsx'
import type { Reuse } from './use-plan.ts'

export type InFlight = 'repeat' | 'skip' | 'stop' | 'continue'

export function ReuseChoice({ reuse, plan, onChange }: { reuse: Reuse; plan: ResumePlan | null; onChange: (reuse: Reuse) => void }) {
  // The calls that can be chosen are those of the whole history, so they are kept while a narrower plan is shown.
  const [known, setKnown] = useState<ResumePlan['replayed']>([])
  const calls = plan !== null && reuse.policy === 'content' && reuse.from === null ? plan.replayed : known
  const chosen = reuse.from !== null
  const pick = (next: Reuse) => {
    setKnown(calls)
    onChange(next)
  }
  const first = calls.find((call) => call.callId !== null)?.callId ?? null
  return (
    <fieldset>
      <legend className="choice-title">Reuse</legend>
      <label className="choice">
        <input
          type="radio"
          name="reuse"
          data-autofocus=""
          checked={!chosen && reuse.policy === 'content'}
          onChange={() => pick({ policy: 'content', from: null })}
        />
        Every call that has not changed
      </label>
      <label className="choice">
        <input
          type="radio"
          name="reuse"
          checked={!chosen && reuse.policy === 'prefix'}
          onChange={() => pick({ policy: 'prefix', from: null })}
        />
        Up to the first change
      </label>
      <div className="choice">
        <label className="choice">
          <input
            type="radio"
            name="reuse"
            disabled={first === null}
            checked={chosen}
            onChange={() => pick({ policy: 'content', from: first })}
          />
          What was made before a call
        </label>
        {chosen && (
          <ChoiceMenu
            label="Run again from"
            value={String(reuse.from)}
            choices={startsOf(calls, plan, reuse.from)}
            onChange={(value) => pick({ policy: 'content', from: Number(value) })}
          />
        )}
      </div>
      <label className="choice">
        <input
          type="radio"
          name="reuse"
          checked={!chosen && reuse.policy === 'none'}
          onChange={() => pick({ policy: 'none', from: null })}
        />
        Nothing: start over
      </label>
    </fieldset>
  )
}

/** The calls that one can run again from; one that was chosen elsewhere is among them. */
function startsOf(calls: ResumePlan['replayed'], plan: ResumePlan | null, from: number | null) {
  const all = calls.length > 0 ? calls : [...(plan?.replayed ?? []), ...(plan?.certainLive ?? [])]
  const choices = all.flatMap((call) => (call.callId === null ? [] : [{ value: String(call.callId), label: plannedName(call) }]))
  return from === null || choices.some((choice) => choice.value === String(from))
    ? choices
    : [{ value: String(from), label: `Call ${from}` }, ...choices]
}

const IN_FLIGHT_WORDS: readonly [InFlight, string][] = [
  ['continue', 'Let their agents go on where they were; one that can’t runs again'],
  ['repeat', 'Run them again'],
  ['skip', 'Skip them: the script gets null for each'],
  ['stop', 'Stop when the script asks for them'],
]

export function InFlightChoice({
  plan,
  value,
  onChange,
}: {
  plan: ResumePlan
  value: InFlight | null
  onChange: (value: InFlight) => void
}) {
  return (
    <fieldset>
      <legend className="choice-title">
        Under way when the run was cut off, and may have done part of their work: {plan.inFlight.map(plannedName).join(', ')}
      </legend>
      {IN_FLIGHT_WORDS.map(([choice, words]) => (
        <label className="choice" key={choice}>
          <input type="radio" name="in-flight" checked={value === choice} onChange={() => onChange(choice)} />
          {words}
        </label>
      ))}
    </fieldset>
  )
}
