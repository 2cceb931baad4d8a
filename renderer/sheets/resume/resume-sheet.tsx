/** Resumes a run. What stands above the line comes from a dry run of the script against the journal, so it is certain. */
import { useState } from 'react'
import type { ErrorData } from '../../../shared/errors.ts'
import { openRun } from '../../commands/actions.ts'
import { showKey } from '../../commands/keys.ts'
import { useHistory, useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { BudgetField, MoneyField } from '../new-run/fields.tsx'
import { readBudget, readMoney } from '../new-run/run-input.ts'
import type { InFlight } from './choices.tsx'
import { InFlightChoice, ReuseChoice } from './choices.tsx'
import { CertainPart, LikelyPart, PlanBar, ReplayedPart, Unchanged } from './plan-parts.tsx'
import type { Reuse } from './use-plan.ts'
import { usePlan } from './use-plan.ts'

export function ResumeSheet({ runId, title, number, from }: { runId: string; title: string; number: number; from: number | null }) {
  const stores = useStores()
  const summary = useHistory((state) => state.runs.find((run) => run.runId === runId))
  const [reuse, setReuse] = useState<Reuse>({ policy: 'content', from })
  const [inFlight, setInFlight] = useState<InFlight | null>(null)
  const [budget, setBudget] = useState('')
  const [money, setMoney] = useState('')
  const [agent, setAgent] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ErrorData | null>(null)
  const planning = usePlan(runId, reuse)
  const plan = planning.at === 'planned' ? planning.plan : planning.at === 'asking' ? planning.before : null
  const limit = readBudget(budget)
  const cap = readMoney(money)
  const spent = summary?.status === 'paused' && summary.reason === 'budget'
  const close = stores.window.getState().closeSheet

  const whyNot =
    planning.at === 'failed'
      ? 'There is no plan to resume by'
      : planning.at === 'asking' || plan === null
        ? 'The plan is being made'
        : plan.inFlight.length > 0 && inFlight === null
          ? 'Say first what happens to the calls that were under way'
          : !limit.ok
            ? 'The budget is not a number'
            : !cap.ok
              ? 'The money cap is not an amount'
              : busy
                ? 'Resuming'
                : null

  const resume = async () => {
    if (whyNot !== null) return stores.window.getState().say(whyNot)
    setBusy(true)
    setError(null)
    const answer = await stores.bridge.runs.resume({
      runId,
      policy: reuse.policy,
      ...(reuse.from === null ? {} : { from: reuse.from }),
      ...(inFlight === null ? {} : { inFlight }),
      ...(limit.ok && limit.value !== undefined ? { budget: limit.value } : {}),
      ...(cap.ok && cap.value !== undefined ? { maxCost: cap.value } : {}),
      ...(agent.trim() === '' ? {} : { agent: agent.trim() }),
    })
    setBusy(false)
    if (answer.ok) {
      close()
      openRun(stores, answer.value.runId)
      void stores.run.getState().refetch()
      return
    }
    if (answer.error.code === 'not-trusted' && summary !== undefined) return askTrust(summary.path)
    setError(answer.error)
  }
  /** The text on disk is another one than was trusted: it is shown and asked about, then the resume goes on. */
  const askTrust = async (path: string) => {
    const answer = await stores.bridge.runs.preflight({ target: { path } })
    if (answer.ok) stores.window.getState().openSheet({ name: 'trust', preflight: answer.value, go: () => void resume() })
    else setError(answer.error)
  }

  return (
    <Sheet
      wide
      title={`Resume ${title} #${number}`}
      lead={
        plan === null
          ? 'The script is run against the saved results to see what is left. Nothing real is started.'
          : `Attempt ${plan.attempt}. The script was run against the saved results to find this; nothing real was started.`
      }
      onClose={close}
      onConfirm={() => void resume()}
      footer={
        <>
          <span className="note">{planning.at === 'asking' ? null : (whyNot ?? 'Earlier attempts stay as they are.')}</span>
          <span className="push" />
          <Button hint="esc" onClick={close}>
            Cancel
          </Button>
          <Button look="primary" hint={showKey('Mod+Enter')} whyNot={whyNot} onClick={() => void resume()}>
            Resume
          </Button>
        </>
      }
    >
      {error !== null && <Failure error={error} />}
      {planning.at === 'failed' && <Failure error={planning.error} />}
      {plan !== null && (
        <>
          <PlanBar plan={plan} />
          <ReplayedPart plan={plan} />
          <CertainPart plan={plan} />
          <LikelyPart plan={plan} />
          <Unchanged plan={plan} />
          {plan.inFlight.length > 0 && <InFlightChoice plan={plan} value={inFlight} onChange={setInFlight} />}
        </>
      )}
      <ReuseChoice reuse={reuse} plan={plan} onChange={setReuse} />
      {spent && (
        <div className="form">
          <BudgetField label="New budget" text={budget} onText={setBudget} />
        </div>
      )}
      {summary?.status === 'paused' && summary.reason === 'money' && (
        <div className="form">
          <MoneyField label="New cap" text={money} onText={setMoney} />
        </div>
      )}
      {summary?.status === 'paused' && !spent && summary.reason !== 'money' && (
        <div className="form">
          <label className="form-label" htmlFor="resume-agent">
            Agent
          </label>
          <div className="form-line">
            <input
              className="field form-short"
              id="resume-agent"
              placeholder={summary.backend ?? 'as before'}
              value={agent}
              onChange={(event) => setAgent(event.target.value)}
            />
            <span className="dense secondary">for calls that name none; left empty, as before</span>
          </div>
        </div>
      )}
    </Sheet>
  )
}
