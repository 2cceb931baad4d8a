/** A live call beside what the attempt before made of it: the prompt and the output, old against new, line by line. */
import { useState } from 'react'
import type { CallDetail } from '../../../shared/contract/runs.ts'
import type { ErrorData } from '../../../shared/errors.ts'
import type { CallView, RunView } from '../../../shared/run/view.ts'
import { useStores } from '../../store/stores.ts'
import { Difference } from '../../ui/difference.tsx'
import { Failure } from '../../ui/failure.tsx'
import { counterpart, outputText, promptText } from './counterpart.ts'

type Compared = { at: 'closed' } | { at: 'reading' } | { at: 'failed'; error: ErrorData } | { at: 'none' } | { at: 'read'; old: CallDetail }

export function Compare({ call, view, detail }: { call: CallView; view: RunView; detail: CallDetail }) {
  const { bridge } = useStores()
  const [compared, setCompared] = useState<Compared>({ at: 'closed' })
  const before = view.attempts.map(({ attempt }) => attempt).filter((attempt) => attempt < view.attempt)
  const attempt = Math.max(...before)
  if (before.length === 0 || call.source === 'replayed') return null
  const open = async () => {
    setCompared({ at: 'reading' })
    const { runId } = view
    const earlier = await bridge.runs.show({ runId, attempt })
    if (!earlier.ok) return setCompared({ at: 'failed', error: earlier.error })
    const old = counterpart(call, earlier.value)
    if (old === null) return setCompared({ at: 'none' })
    const answer = await bridge.runs.call({ runId, callId: old.callId, attempt })
    setCompared(answer.ok ? { at: 'read', old: answer.value } : { at: 'failed', error: answer.error })
  }
  return (
    <section className="block">
      <header>
        <h3>Attempt {attempt}</h3>
        <button
          type="button"
          className="link push"
          aria-expanded={compared.at !== 'closed'}
          onClick={() => (compared.at === 'closed' ? void open() : setCompared({ at: 'closed' }))}
        >
          {compared.at === 'closed' ? 'Compare' : 'Hide'}
        </button>
      </header>
      {compared.at === 'failed' && <Failure error={compared.error} retry={() => void open()} />}
      {compared.at === 'none' && <p className="dense secondary">Attempt {attempt} made no call of this name.</p>}
      {compared.at === 'read' && <Both name="Prompt" before={promptText(compared.old)} after={promptText(detail)} />}
      {compared.at === 'read' && <Both name="Output" before={outputText(compared.old)} after={outputText(detail)} />}
    </section>
  )
}

function Both({ name, before, after }: { name: string; before: string | null; after: string | null }) {
  if (before === null && after === null) return null
  if (before === after) return <p className="dense secondary">{name}: the same in both.</p>
  if (before === null) return <p className="dense secondary">{name}: there was none before.</p>
  if (after === null) return <p className="dense secondary">{name}: there is none yet.</p>
  return (
    <>
      <p className="dense strong">{name}</p>
      <Difference before={before} after={after} />
    </>
  )
}
