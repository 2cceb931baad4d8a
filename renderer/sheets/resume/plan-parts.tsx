/** The plan in three degrees of certainty: replayed for certain, live for certain, likely after that. */
import { useState } from 'react'
import type { PlannedCall, ResumePlan } from '../../../shared/run/plan.ts'
import { WHY_LIVE_WORDS } from '../../../shared/words.ts'
import { Difference } from '../../ui/difference.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { counted, tokens } from '../../words/quantity.ts'

const LISTED = 8
const MOST_UNEXPECTED = 5

export function plannedName(call: PlannedCall): string {
  return `${call.phase === null ? '' : `${call.phase} › `}${call.label ?? call.title}`
}

/** `Collect 4, Review 8`; calls outside every phase count as the run's. */
export function byPhase(calls: readonly PlannedCall[]): string {
  const counts = new Map<string, number>()
  for (const call of calls) counts.set(call.phase ?? 'Run', (counts.get(call.phase ?? 'Run') ?? 0) + 1)
  return [...counts].map(([phase, n]) => `${phase} ${n}`).join(', ')
}

export function PlanBar({ plan }: { plan: ResumePlan }) {
  const parts = [
    { n: plan.replayed.length, className: 'is-replayed', tone: 'replayed', words: `${plan.replayed.length} replayed` },
    { n: plan.certainLive.length, className: 'is-certain', tone: 'running', words: `${plan.certainLive.length} live` },
    { n: plan.estimate.calls, className: 'is-likely', tone: 'next', words: `about ${plan.estimate.calls}` },
  ].filter((part) => part.n > 0)
  if (parts.length === 0) return null
  const said = `${plan.replayed.length} replayed, ${plan.certainLive.length} live for certain, about ${plan.estimate.calls} more likely`
  return (
    <div>
      <div className="plan-bar" role="img" aria-label={said}>
        {parts.map((part) => (
          <i key={part.className} className={part.className} data-tone={part.tone} style={{ '--share': part.n }} />
        ))}
      </div>
      <div className="plan-key" aria-hidden="true">
        {parts.map((part) => (
          <span key={part.className} style={{ '--share': part.n }}>
            {part.words}
          </span>
        ))}
      </div>
    </div>
  )
}

export function ReplayedPart({ plan }: { plan: ResumePlan }) {
  const n = plan.replayed.length
  return (
    <section className="plan">
      <Glyph tone="replayed" />
      <h3>{n === 0 ? 'No result will be replayed' : `${counted(n, 'result')} will be replayed`}</h3>
      <span className="price">{n === 0 ? '' : '0 tokens, within a second or two'}</span>
      {n > 0 && <p className="plan-more secondary">{byPhase(plan.replayed)}</p>}
    </section>
  )
}

export function CertainPart({ plan }: { plan: ResumePlan }) {
  const [all, setAll] = useState(false)
  const calls = plan.certainLive
  if (calls.length === 0) {
    return (
      <section className="plan">
        <Glyph tone="completed" />
        <h3>No call starts live</h3>
        {plan.complete && <p className="plan-more secondary">The script comes to its end with what is saved.</p>}
      </section>
    )
  }
  return (
    <section className="plan">
      <Glyph tone="running" />
      <h3>{calls.length === 1 ? '1 call starts live, for certain' : `${calls.length} calls start live, for certain`}</h3>
      <span className="price" />
      <ul className="plan-more">
        {(all ? calls : calls.slice(0, LISTED)).map((call, place) => (
          <Certain key={`${call.callId ?? 'new'}-${place.toString()}`} call={call} />
        ))}
        {!all && calls.length > LISTED && (
          <li>
            <button type="button" className="link" onClick={() => setAll(true)}>
              Show all {calls.length}
            </button>
          </li>
        )}
      </ul>
    </section>
  )
}

function Certain({ call }: { call: ResumePlan['certainLive'][number] }) {
  const [open, setOpen] = useState(false)
  const changed = call.old !== undefined && call.new !== undefined
  return (
    <li>
      <span className="name">{plannedName(call)}</span>
      <span className={changed ? 'ink' : 'secondary'} data-tone="warning">
        {WHY_LIVE_WORDS[call.why]}
      </span>
      {changed ? (
        <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide change' : 'View change'}
        </button>
      ) : (
        <span />
      )}
      {open && <Difference before={call.old ?? ''} after={call.new ?? ''} />}
    </li>
  )
}

export function LikelyPart({ plan }: { plan: ResumePlan }) {
  const { calls, outputTokens } = plan.estimate
  if (calls === 0) return null
  return (
    <section className="plan">
      <Glyph tone="next" />
      <h3>Then about {counted(calls, 'more call', 'more')}, going by last time</h3>
      <span className="price">{outputTokens === 0 ? 'not certain' : `not certain, about ${tokens(outputTokens)} tokens`}</span>
      <p className="plan-more secondary">What comes next is the script's decision, once it has the results above.</p>
    </section>
  )
}

export function Unchanged({ plan }: { plan: ResumePlan }) {
  return (
    <div className="panel">
      {plan.unexpected.length === 0 && (
        <div className="finding">
          {plan.scriptChanged ? <Glyph tone="warning" /> : <Glyph tone="completed" />}
          <p>
            {plan.scriptChanged
              ? 'The script changed since the attempt before. Calls that stayed the same are still reused.'
              : 'The script is the same as in the attempt before.'}
          </p>
        </div>
      )}
      {plan.unexpected.length > 0 && (
        <div className="finding">
          <Glyph tone="warning" />
          <div>
            <p>
              The script is the same, and asks for something else than it did before. What hangs on time, chance or the outside can't be
              replayed.
            </p>
            <ul>
              {plan.unexpected.slice(0, MOST_UNEXPECTED).map((sentence) => (
                <li key={sentence} className="more">
                  {sentence}
                </li>
              ))}
            </ul>
            {plan.unexpected.length > MOST_UNEXPECTED && <p className="more">and {plan.unexpected.length - MOST_UNEXPECTED} more</p>}
          </div>
        </div>
      )}
      {plan.childrenChanged.length > 0 && (
        <div className="finding">
          <Glyph tone="warning" />
          <p>Changed child workflows: {plan.childrenChanged.join(', ')}.</p>
        </div>
      )}
      {plan.notReached.length > 0 && (
        <div className="finding">
          <Glyph tone="replayed" />
          <p>
            {counted(plan.notReached.length, 'more saved result')} {plan.notReached.length === 1 ? 'was' : 'were'} not asked for up to the
            first live call. {plan.notReached.length === 1 ? 'It is' : 'They are'} used as soon as the script asks.
          </p>
        </div>
      )}
    </div>
  )
}
