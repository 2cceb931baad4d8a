/** Starts a run: which workflow, with what input, on which agent. Shows what preflight found before anything runs. */
import { useState } from 'react'
import type { ErrorData } from '../../../shared/errors.ts'
import type { RunSummary } from '../../../shared/run/view.ts'
import { openRun } from '../../commands/actions.ts'
import { showKey } from '../../commands/keys.ts'
import { useHistory, useStores, useWindow } from '../../store/stores.ts'
import type { Target } from '../../store/window-store.ts'
import { Button } from '../../ui/button.tsx'
import type { Choice } from '../../ui/choice-menu.tsx'
import { ChoiceMenu } from '../../ui/choice-menu.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { AgentChoice, OF_SCRIPT } from './agent-choice.tsx'
import { DryRunPanel } from './dry-run-panel.tsx'
import { BudgetField, InputField, MoneyField } from './fields.tsx'
import { lastInput, rememberInput } from './last-input.ts'
import { errorsOf, PreflightPanel } from './preflight-panel.tsx'
import { readBudget, readInput, readMoney } from './run-input.ts'
import { usePreflight } from './use-preflight.ts'
import { WorkflowPicker } from './workflow-picker.tsx'

type Permissions = '' | 'ask' | 'allow-listed' | 'full'
const PERMISSIONS: Choice<Permissions>[] = [
  { value: '', label: 'As set up' },
  { value: 'ask', label: 'Ask before each tool' },
  { value: 'allow-listed', label: 'Only listed tools' },
  { value: 'full', label: 'Every tool' },
]
const WORKSPACES: Choice<'current' | 'worktree'>[] = [
  { value: 'current', label: 'This checkout' },
  { value: 'worktree', label: 'A worktree', note: 'A copy from HEAD, kept until its changes are applied or discarded' },
]
const AT_ONCE = ['1', '2', '3', '4', '6', '8', '12', '16'] as const

function newRequestId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function NewRunSheet({ target: given, agent: first }: { target: Target | null; agent?: string | undefined }) {
  const stores = useStores()
  const project = useWindow((state) => state.project)
  const workflows = useWindow((state) => state.workflows)
  const settings = useWindow((state) => state.settings)
  const filtered = useHistory((state) => state.workflow)
  const [picked, setChosen] = useState(given)
  const chosen = picked ?? firstTarget(workflows, filtered)
  const path = chosen !== null && 'path' in chosen ? chosen.path : null
  // Null until somebody types: another workflow then brings its own last input.
  const [typed, setInput] = useState<string | null>(null)
  const input = typed ?? (path === null ? '' : lastInput(path))
  const [budget, setBudget] = useState(settings.budget === null ? '' : String(settings.budget))
  const [money, setMoney] = useState(settings.maxCost === null ? '' : String(settings.maxCost))
  const [workspace, setWorkspace] = useState<'current' | 'worktree'>('current')
  const [model, setModel] = useState('')
  const [permissions, setPermissions] = useState<Permissions>('')
  const usedHere = useHistory((state) => lastAgent(state.runs, path))
  const [named, setAgent] = useState(first ?? settings.agent)
  const agent = named ?? usedHere ?? OF_SCRIPT
  const [atOnce, setAtOnce] = useState(settings.concurrency === null ? '' : String(settings.concurrency))
  const [opensMore] = useState(money !== '' || atOnce !== '')
  // One id a sheet: pressing Start twice starts one run.
  const [requestId] = useState(newRequestId)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ErrorData | null>(null)
  const { reading, again } = usePreflight(chosen, agent === OF_SCRIPT ? null : agent)
  const preflight = reading.at === 'read' ? reading.preflight : null
  const args = readInput(input)
  const limit = readBudget(budget)
  const cap = readMoney(money)
  const close = stores.window.getState().closeSheet

  const whyNot =
    chosen === null
      ? 'Choose a workflow first'
      : preflight === null
        ? 'The script is not read yet'
        : errorsOf(preflight).length > 0
          ? 'The script has errors'
          : !args.ok
            ? 'The input is not valid JSON'
            : !limit.ok
              ? 'The budget is not a number'
              : !cap.ok
                ? 'The money cap is not an amount'
                : busy
                  ? 'Starting'
                  : null
  const whyNoAgent = agent === OF_SCRIPT && preflight?.uses.defaultAgent === true ? 'Choose an agent: the script leaves it to you' : null

  /** @param by agent of the run; nothing for the script's own choice */
  const start = async (by: string) => {
    if (whyNot !== null || preflight === null || chosen === null || !args.ok || !limit.ok || !cap.ok) return
    setBusy(true)
    setError(null)
    const answer = await stores.bridge.runs.launch({
      target: chosen,
      requestId,
      seenSha256: preflight.sha256,
      ...(args.value === undefined ? {} : { args: args.value }),
      ...(limit.value === undefined ? {} : { budget: limit.value }),
      ...(atOnce === '' ? {} : { concurrency: Number(atOnce) }),
      ...(cap.value === undefined ? {} : { maxCost: cap.value }),
      ...(workspace === 'current' ? {} : { workspace }),
      ...(by === OF_SCRIPT ? {} : { agent: by }),
      ...(model.trim() === '' ? {} : { model: model.trim() }),
      ...(permissions === '' ? {} : { permissions }),
    })
    setBusy(false)
    if (answer.ok) {
      rememberInput(preflight.path, input)
      close()
      openRun(stores, answer.value.runId)
      return
    }
    setError(answer.error)
    if (answer.error.code === 'changed-since-you-looked') again()
  }
  const confirm = () => {
    const why = whyNot ?? whyNoAgent
    if (why !== null || preflight === null) return stores.window.getState().say(why ?? '')
    if (preflight.trustNeeded === null) void start(agent)
    else stores.window.getState().openSheet({ name: 'trust', preflight, go: () => void start(agent) })
  }

  return (
    <Sheet
      title="New run"
      lead={project === null ? undefined : `In ${project.path}`}
      onClose={close}
      onConfirm={confirm}
      footer={
        <>
          <span className="note">{reading.at === 'reading' ? null : (whyNot ?? whyNoAgent)}</span>
          <span className="push" />
          <Button hint="esc" onClick={close}>
            Cancel
          </Button>
          {agent !== 'simulated' && (
            <Button
              title="With the simulated agent: nothing real is started and nothing is spent"
              whyNot={whyNot}
              onClick={() => void start('simulated')}
            >
              Simulate
            </Button>
          )}
          <Button look="primary" hint={showKey('Mod+Enter')} whyNot={whyNot ?? whyNoAgent} onClick={confirm}>
            Start run
          </Button>
        </>
      }
    >
      {error !== null && <Failure error={error} />}
      <div className="form">
        <span className="form-label">Workflow</span>
        <div>
          <div className="form-line">
            <WorkflowPicker chosen={chosen} title={preflight?.title ?? null} onChoose={setChosen} />
            <Button
              look="quiet"
              onClick={async () => {
                const answer = await stores.bridge.dialogs.openScript()
                if (answer.ok && answer.value !== null) setChosen({ path: answer.value.path })
              }}
            >
              Choose a file…
            </Button>
          </div>
          {preflight !== null && (
            <>
              <About description={preflight.description} path={preflight.path} phases={preflight.phases.map((phase) => phase.title)} />
              <button
                type="button"
                className="link dense"
                onClick={() => {
                  close()
                  stores.window.getState().go({ name: 'workflow', path: preflight.path, line: null })
                }}
              >
                Open script
              </button>
            </>
          )}
        </div>
        <InputField text={input} onText={setInput} />
        <span className="form-label">Agent</span>
        <div className="form-line">
          <AgentChoice agent={agent} onAgent={setAgent} />
        </div>
        <BudgetField text={budget} onText={setBudget} />
        <span className="form-label">Workspace</span>
        <div className="form-line">
          <ChoiceMenu label="Workspace" value={workspace} choices={WORKSPACES} onChange={setWorkspace} />
        </div>
      </div>
      <details className="more-fields" open={opensMore}>
        <summary>More: money cap, model, permissions, calls at once</summary>
        <div className="form">
          <MoneyField text={money} onText={setMoney} />
          <label className="form-label" htmlFor="new-run-model">
            Model
          </label>
          <div className="form-line">
            <input
              className="field form-short"
              id="new-run-model"
              placeholder="the agent's own"
              value={model}
              onChange={(event) => setModel(event.target.value)}
            />
            <span className="dense secondary">for calls that name none</span>
          </div>
          <span className="form-label">Permissions</span>
          <div className="form-line">
            <ChoiceMenu label="Permissions" value={permissions} choices={PERMISSIONS} onChange={setPermissions} />
          </div>
          <span className="form-label">At once</span>
          <div className="form-line">
            <ChoiceMenu
              label="Calls at once"
              value={atOnce}
              choices={[{ value: '', label: 'As usual' }, ...AT_ONCE.map((n) => ({ value: n, label: `${n} calls` }))]}
              onChange={setAtOnce}
            />
          </div>
        </div>
      </details>
      {reading.at === 'failed' && <Failure error={reading.error} retry={again} />}
      {preflight !== null && <PreflightPanel preflight={preflight} />}
      {preflight !== null && errorsOf(preflight).length === 0 && (
        <DryRunPanel
          asked={
            chosen === null || !args.ok || !limit.ok
              ? null
              : {
                  target: chosen,
                  seenSha256: preflight.sha256,
                  ...(args.value === undefined ? {} : { args: args.value }),
                  ...(limit.value === undefined ? {} : { budget: limit.value }),
                  ...(atOnce === '' ? {} : { concurrency: Number(atOnce) }),
                }
          }
        />
      )}
    </Sheet>
  )
}

function firstTarget(workflows: readonly { path: string }[], filtered: string | null): Target | null {
  const path = filtered ?? workflows[0]?.path
  return path === undefined ? null : { path }
}

/** The agent that answered this workflow last. In a project that is being tried out it is the simulated one again: that spends nothing. */
function lastAgent(runs: readonly RunSummary[], path: string | null): string | null {
  const known = runs.filter((run) => run.backend !== null)
  const before = known.find((run) => run.path === path) ?? known[0]
  return before?.path === path || before?.backend === 'simulated' ? (before?.backend ?? null) : null
}

function About({ description, path, phases }: { description: string | null; path: string; phases: readonly string[] }) {
  return (
    <>
      <p className="form-note">{description ?? path}</p>
      {phases.length > 0 && <p className="form-note">{phases.join(' → ')}</p>}
    </>
  )
}
