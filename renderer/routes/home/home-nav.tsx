/** Left pane: workflows of the project as filters of the list, and where its runs lie. */

import { runState } from '../../../shared/run/status.ts'
import type { RunSummary } from '../../../shared/run/view.ts'
import { reveal } from '../../commands/actions.ts'
import { useHistory, useStores, useWindow } from '../../store/stores.ts'
import { useToday } from '../../store/use-today.ts'
import { Button } from '../../ui/button.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Icon } from '../../ui/icon.tsx'
import { counted, money } from '../../words/quantity.ts'

/** The run that says most about a workflow now: one that waits, else one that runs. */
function telling(runs: readonly RunSummary[], path: string): RunSummary | null {
  const own = runs.filter((run) => run.path === path)
  const open = own.filter((run) => run.status !== 'completed' && run.status !== 'failed' && run.status !== 'killed')
  return open.find((run) => run.status !== 'running') ?? open[0] ?? null
}

export function HomeNav() {
  const stores = useStores()
  const workflows = useWindow((state) => state.workflows)
  const runs = useHistory((state) => state.runs)
  const total = useHistory((state) => state.total)
  const chosen = useHistory((state) => state.workflow)
  const today = useToday()
  const { setWorkflow } = stores.history.getState()
  return (
    <nav className="nav" aria-label="Workflows">
      <section>
        <h2>
          Workflows
          <Button
            look="quiet"
            icon
            aria-label="Start a new run"
            title="Start a new run"
            onClick={() => stores.window.getState().openSheet({ name: 'new-run', target: null })}
          >
            <Icon name="plus" />
          </Button>
        </h2>
        <ul>
          <li>
            <button
              type="button"
              className="nav-item"
              aria-current={chosen === null ? 'page' : undefined}
              onClick={() => setWorkflow(null)}
            >
              All workflows
            </button>
          </li>
          {workflows.map((workflow) => {
            const run = telling(runs, workflow.path)
            const state = run === null ? null : runState(run)
            return (
              <li key={workflow.path}>
                <button
                  type="button"
                  className="nav-item"
                  title={workflow.description ?? workflow.path}
                  aria-current={chosen === workflow.path ? 'page' : undefined}
                  onClick={() => setWorkflow(workflow.path)}
                >
                  {workflow.name}
                  {workflow.problem !== null && <span className="heard">, can't run: {workflow.problem}</span>}
                  {state !== null && <span className="heard">, {state.word}</span>}
                  {workflow.problem !== null ? <Glyph tone="warning" /> : state !== null && <Glyph tone={state.tone} />}
                </button>
              </li>
            )
          })}
        </ul>
      </section>
      <section className="nav-project">
        <h2>Project</h2>
        <div className="nav-note">
          <span>{counted(total, 'run')} saved</span>
          {today !== null && today.cost > 0 && (
            <span>
              {money(today.cost)}
              {today.limit === null ? '' : ` of ${money(today.limit)}`} today
            </span>
          )}
          <button type="button" className="link" onClick={() => void reveal(stores)}>
            Reveal in file manager
          </button>
        </div>
      </section>
    </nav>
  )
}
