/** Tokens of a run against its budget: the replayed share hatched, the live share in ink, so spending carried over shows. */
import { grouped, tokens } from '../words/quantity.ts'

export function TokenMeter({ used, live, budget }: { used: number; live: number; budget: number | null }) {
  const replayed = used - live
  if (budget === null) {
    return (
      <span>
        <span className="strong">{tokens(used)}</span> output tokens
        {replayed > 0 && <span className="wide">, {tokens(replayed)} of them replayed</span>}
      </span>
    )
  }
  const share = (n: number) => Math.min(100, (100 * n) / Math.max(1, budget))
  return (
    <span>
      <span
        className="meter"
        role="meter"
        aria-label="Output tokens"
        aria-valuemin={0}
        aria-valuemax={budget}
        aria-valuenow={Math.min(used, budget)}
        aria-valuetext={`${grouped(used)} of ${grouped(budget)} tokens`}
      >
        {replayed > 0 && <i data-tone="replayed" style={{ '--share': share(replayed) }} />}
        <i style={{ '--share': share(live) }} />
      </span>
      <span className="strong">{tokens(used)}</span> of {tokens(budget)} tokens
      {replayed > 0 && <span className="wide">, {tokens(replayed)} of them replayed</span>}
    </span>
  )
}
