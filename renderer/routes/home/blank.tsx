/** Why the list is empty, and the way out of it. */
import { chooseScript, createWorkflow } from '../../commands/actions.ts'
import { showKey } from '../../commands/keys.ts'
import { useHistory, useStores, useWindow } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { counted } from '../../words/quantity.ts'

export function Blank() {
  const stores = useStores()
  const { phase, runs, text, tab, workflow, setText, setTab, setWorkflow } = useHistory((state) => state)
  const workflows = useWindow((state) => state.workflows)
  if (phase !== 'ready') return null
  if (runs.length > 0) {
    return (
      <div className="blank">
        <h2>{text === '' ? 'No run in this group.' : <>Nothing matches “{text}”.</>}</h2>
        <p className="secondary">Name, number, sentence and phases of {counted(runs.length, 'run')} were searched.</p>
        <Button
          onClick={() => {
            setText('')
            setTab('all')
            setWorkflow(null)
          }}
        >
          {text === '' && tab === 'all' && workflow === null ? 'Show all' : 'Clear filter'}
        </Button>
      </div>
    )
  }
  const chosen = (
    <button type="button" className="link" onClick={() => void chooseScript(stores)}>
      choose a script
    </button>
  )
  if (workflows.length === 0) {
    return (
      <div className="blank">
        <h2>
          This project has no workflows in <code>.claude/workflows</code>.
        </h2>
        <p className="secondary">
          Put a script there and it shows up here. Or {chosen} from anywhere, or drop one on this window: it is read, not run.
        </p>
        <div className="blank-actions">
          <Button look="primary" onClick={() => void createWorkflow(stores)}>
            Create one from a template
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="blank">
      <h2>No runs yet.</h2>
      <p className="secondary">
        {counted(workflows.length, 'workflow')} ready. Every result is saved as it arrives, so a run can be stopped, or the app closed, at
        any moment.
      </p>
      <div className="blank-actions">
        <Button look="primary" hint={showKey('N')} onClick={() => stores.window.getState().openSheet({ name: 'new-run', target: null })}>
          New run
        </Button>
        <span className="dense secondary">or {chosen}</span>
      </div>
    </div>
  )
}
