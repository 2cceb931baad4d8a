/** All settings on one page: each row says where it counts, every change counts at once, and a field finds rows by their words. */
import { useState } from 'react'
import { useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Foot } from '../../ui/foot.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Top } from '../../ui/top.tsx'
import { AgentRows } from './agent-rows.tsx'
import { AlertRows } from './alert-rows.tsx'
import { Diagnostics } from './diagnostics.tsx'
import { GeneralRows } from './general-rows.tsx'
import { KeyRows } from './key-rows.tsx'
import { NewRunRows } from './new-run-rows.tsx'
import { ProjectRows } from './project-rows.tsx'
import { Wanted } from './setting-row.tsx'

const SECTIONS = [
  ['general', 'General', GeneralRows],
  ['project', 'This project', ProjectRows],
  ['agents', 'Agents', AgentRows],
  ['new-runs', 'New runs', NewRunRows],
  ['keys', 'Keys', KeyRows],
  ['alerts', 'Alerts', AlertRows],
  ['diagnostics', 'Diagnostics', Diagnostics],
] as const

export function SettingsPage() {
  const stores = useStores()
  const [wanted, setWanted] = useState('')
  return (
    <div className="window">
      <Top>
        <Button look="quiet" onClick={() => stores.window.getState().back()}>
          <Icon name="left" />
          Back
        </Button>
        <h1>Settings</h1>
        <span className="push" />
        <input
          className="field settings-find"
          type="search"
          aria-label="Find a setting"
          placeholder="Find a setting"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      </Top>
      <nav className="nav" aria-label="Sections">
        <ul>
          {SECTIONS.map(([id, title]) => (
            <li key={id}>
              <button
                type="button"
                className="nav-item"
                onClick={() => {
                  const heading = document.getElementById(`settings-${id}`)
                  heading?.scrollIntoView({ block: 'start' })
                  heading?.focus({ preventScroll: true })
                }}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <main className="main settings" aria-label="Settings">
        <Wanted value={wanted}>
          {SECTIONS.map(([id, title, Rows]) => (
            <section key={id} className="settings-section" aria-labelledby={`settings-${id}`}>
              <h2 id={`settings-${id}`} tabIndex={-1}>
                {title}
              </h2>
              <div className="settings-rows">
                <Rows />
              </div>
            </section>
          ))}
        </Wanted>
      </main>
      <Foot place="anywhere">Changes apply at once</Foot>
    </div>
  )
}
