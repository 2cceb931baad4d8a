/** A dry run of the chosen script with the input that is typed: each call by phase, and what a real run would come to. */
import { useEffect, useState } from 'react'
import type { InputOf } from '../../../shared/contract/bridge.ts'
import type { ErrorData } from '../../../shared/errors.ts'
import type { DryRun } from '../../../shared/run/dry-run.ts'
import type { PlannedCall } from '../../../shared/run/plan.ts'
import { useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { TextBlock } from '../../ui/text-block.tsx'
import { counted, tokens } from '../../words/quantity.ts'
import { byPhase } from '../resume/plan-parts.tsx'

type Tried = { at: 'none' | 'trying' } | { at: 'told'; told: DryRun } | { at: 'failed'; error: ErrorData }

/** @param asked what would be run; null while it can't be */
export function DryRunPanel({ asked }: { asked: InputOf<'runs.dryRun'> | null }) {
  const { bridge } = useStores()
  const [tried, setTried] = useState<Tried>({ at: 'none' })
  const key = JSON.stringify(asked)
  // What was told counts for that script and that input only.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for what is asked
  useEffect(() => setTried({ at: 'none' }), [key])
  const start = async () => {
    if (asked === null || tried.at === 'trying') return
    setTried({ at: 'trying' })
    const answer = await bridge.runs.dryRun(asked)
    setTried(answer.ok ? { at: 'told', told: answer.value } : { at: 'failed', error: answer.error })
  }
  return (
    <section className="panel" aria-label="Dry run">
      <div className="finding">
        <Glyph tone={tried.at === 'told' && tried.told.error !== null ? 'failed' : 'next'} />
        <div aria-live="polite">
          <h3>{tried.at === 'told' ? heading(tried.told) : 'Dry run'}</h3>
          <p className="more">
            {tried.at === 'told'
              ? estimateWords(tried.told)
              : 'Shows each call the script would make. Nothing is started and nothing is saved.'}
          </p>
        </div>
        <Button
          whyNot={asked === null ? 'Nothing can be run yet' : tried.at === 'trying' ? 'It is being run' : null}
          onClick={() => void start()}
        >
          {tried.at === 'told' ? 'Again' : 'Try it'}
        </Button>
      </div>
      {tried.at === 'failed' && <Failure error={tried.error} />}
      {tried.at === 'told' && tried.told.error !== null && (
        <TextBlock
          label="Why it fails"
          error
          text={`${tried.told.error.line === undefined ? '' : `Line ${tried.told.error.line}: `}${tried.told.error.message}`}
        />
      )}
      {tried.at === 'told' && tried.told.calls.length > 0 && <Calls calls={tried.told.calls} />}
    </section>
  )
}

function heading({ status, calls }: DryRun): string {
  const made = counted(calls.length, 'call')
  if (status === 'killed') return `${made}, then it goes on waiting`
  return status === 'completed' ? `${made}, to the end` : `${made}, then it ${status === 'failed' ? 'fails' : 'stands still'}`
}

function estimateWords({ estimate }: DryRun): string {
  const { calls, outputTokens, runs } = estimate
  const made = `Simulated agents answered. A real run makes about ${counted(calls, 'call')} of agents and checks`
  if (outputTokens === null) return `${made}; how many tokens that takes is known after the first one.`
  return runs === 0 ? `${made}.` : `${made} and takes about ${tokens(outputTokens)} output tokens, going by ${counted(runs, 'run')} before.`
}

function Calls({ calls }: { calls: readonly PlannedCall[] }) {
  const phases = [...new Set(calls.map((call) => call.phase))]
  return (
    <details className="rehearsed">
      <summary>{byPhase(calls)}</summary>
      {phases.map((phase) => (
        <section key={phase ?? ''}>
          <h4>{phase ?? 'Outside every phase'}</h4>
          <ol>
            {calls
              .filter((call) => call.phase === phase)
              .map((call, place) => (
                <li key={`${call.callId ?? 'new'}-${place.toString()}`} className="clip">
                  {call.label ?? call.title}
                  {call.kind !== 'agent' && <span className="secondary">, {call.kind}</span>}
                </li>
              ))}
          </ol>
        </section>
      ))}
    </details>
  )
}
