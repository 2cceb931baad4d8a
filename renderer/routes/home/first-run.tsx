/** No project is open: what this is for, how to begin, what was open before. */
import { chooseProject, openProject, openSample } from '../../commands/actions.ts'
import { showKey } from '../../commands/keys.ts'
import { useStores, useWindow } from '../../store/stores.ts'
import { useNow } from '../../store/use-now.ts'
import { Brand } from '../../ui/brand.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Foot } from '../../ui/foot.tsx'
import { Top } from '../../ui/top.tsx'
import { when } from '../../words/quantity.ts'

export function FirstRun() {
  const stores = useStores()
  const recent = useWindow((state) => state.recent)
  const error = useWindow((state) => state.projectError)
  const now = useNow(false)
  return (
    <div className="window window--page">
      <Top>
        <span className="name">Reprise</span>
      </Top>
      <main className="main" aria-label="Start">
        <div className="first">
          <Brand />
          <h1>Agent workflows that can be stopped, resumed and trusted.</h1>
          {error !== null && <Failure error={error} />}
          <div className="first-actions">
            <Button look="primary" hint={showKey('Mod+O')} onClick={() => void chooseProject(stores)}>
              Open a project…
            </Button>
            <Button onClick={() => void openSample(stores)}>Try the sample, 20 seconds, no account</Button>
          </div>
          {recent.length > 0 && (
            <section>
              <h2 className="dense secondary">Recent</h2>
              <ul className="first-recent">
                {recent.map((project) => (
                  <li key={project.path}>
                    <button type="button" className="nav-item" onClick={() => void openProject(stores, project.path)}>
                      <span className="strong">{project.name}</span>
                      <span className="dense secondary">
                        {project.exists ? `opened ${when(project.openedAt, now)}` : 'not there any more'}
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <p className="dense secondary">A project folder or a workflow script can also be dropped anywhere on this window.</p>
        </div>
      </main>
      <Foot place="anywhere" />
    </div>
  )
}
