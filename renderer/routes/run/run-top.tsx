/** Bar of the run page: way back, name, state with its clock, attempts, and at the right end the one thing to do next. */
import { isLive, runState } from '../../../shared/run/status.ts'
import type { RunView } from '../../../shared/run/view.ts'
import {
  askDelete,
  copyLink,
  copyText,
  exportRun,
  isPast,
  keepRun,
  linkTo,
  openResume,
  pauseRun,
  revealFile,
  showError,
  stopRun,
  whyNoResume,
  whyNoStop,
} from '../../commands/actions.ts'
import { showKey } from '../../commands/keys.ts'
import type { Face } from '../../store/run-store.ts'
import { useRun, useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { State } from '../../ui/glyph.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { MenuItem } from '../../ui/menu.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Top } from '../../ui/top.tsx'
import { duration, ticking } from '../../words/quantity.ts'
import { Attempts } from './attempts.tsx'

export function RunTop({ view, now }: { view: RunView; now: number }) {
  const stores = useStores()
  const state = runState(view)
  const live = isLive(view.status)
  const end = view.endedAt ?? (live ? now : view.updatedAt)
  const took = Math.max(0, end - view.attemptStartedAt)
  return (
    <Top>
      <Button look="quiet" aria-label="Back to runs" onClick={() => stores.window.getState().go({ name: 'home' })}>
        <Icon name="left" />
        Runs
      </Button>
      <h1>
        {view.title} <span className="number">#{view.number}</span>
      </h1>
      <span className="run-state">
        <State tone={state.tone}>{state.word}</State>
        <span className="secondary">
          {live ? ticking(took) : view.status === 'completed' ? `in ${duration(took)}` : `after ${duration(took)}`}
        </span>
      </span>
      <Attempts view={view} now={now} />
      <span className="push" />
      <ViewTabs />
      <MainAction view={view} />
      <MoreMenu view={view} />
    </Top>
  )
}

const FACES: readonly [Face, string][] = [
  ['lanes', 'Lanes'],
  ['table', 'Table'],
  ['log', 'Log'],
]

function ViewTabs() {
  const face = useRun((state) => state.face)
  const { setFace } = useStores().run.getState()
  return (
    <div className="tabs" role="group" aria-label="View">
      {FACES.map(([one, words]) => (
        <button key={one} type="button" className="tab" aria-pressed={face === one} onClick={() => setFace(one)}>
          {words}
        </button>
      ))}
    </div>
  )
}

function MainAction({ view }: { view: RunView }) {
  const stores = useStores()
  const stale = useRun((state) => state.staleSince !== null)
  if (isPast(view)) return null
  if (isLive(view.status)) {
    return (
      <Button hint={showKey('S')} whyNot={whyNoStop(view, stale)} onClick={() => void stopRun(stores, view)}>
        <Icon name="stop" />
        Stop
      </Button>
    )
  }
  if (view.allowedActions.includes('resume')) {
    return (
      <Button look="primary" hint={showKey('R')} whyNot={whyNoResume(view, stale)} onClick={() => openResume(stores, view)}>
        Resume…
      </Button>
    )
  }
  return <Button onClick={() => stores.window.getState().openSheet({ name: 'new-run', target: { path: view.path } })}>Run again…</Button>
}

function whyNoDelete({ allowedActions, pinned }: RunView): string | null {
  if (allowedActions.includes('delete')) return null
  return pinned === true ? 'It is kept: let it go first' : 'Stop it first: it is at work'
}

function MoreMenu({ view }: { view: RunView }) {
  const stores = useStores()
  const reveal = async (what: 'run' | 'script') => {
    const answer = await stores.bridge.projects.reveal({ what, runId: view.runId })
    if (!answer.ok) showError(stores, answer.error)
  }
  const pause: MenuItem = { id: 'pause', label: 'Pause after running calls', run: () => void pauseRun(stores, view) }
  const items: MenuItem[] = [
    ...(view.allowedActions.includes('pause') ? [pause] : []),
    { id: 'again', label: 'Run again…', run: () => stores.window.getState().openSheet({ name: 'new-run', target: { path: view.path } }) },
    { id: 'export', label: 'Export…', run: () => void exportRun(stores, view, false) },
    {
      id: 'export-redacted',
      label: 'Export without secrets…',
      note: 'To be looked at only: it can’t be resumed',
      run: () => void exportRun(stores, view, true),
    },
    { id: 'run', label: 'Reveal run folder', run: () => void reveal('run') },
    { id: 'journal', label: 'Reveal journal', run: () => void revealFile(stores, view.runId, 'journal') },
    { id: 'script', label: 'Reveal script', run: () => void reveal('script') },
    { id: 'open', label: 'Open script…', run: () => stores.window.getState().go({ name: 'workflow', path: view.path, line: null }) },
    { id: 'link', label: 'Copy link', run: () => void copyLink(stores, view) },
    {
      id: 'attempt-link',
      label: `Copy link to attempt ${view.attempt}`,
      run: () => void copyText(stores, linkTo(view, view.attempt), `Link to attempt ${view.attempt} copied.`),
    },
    {
      id: 'keep',
      label: view.pinned === true ? 'Keep no longer' : 'Keep whatever its age',
      run: () => void keepRun(stores, view, view.pinned !== true),
    },
    {
      id: 'delete',
      label: 'Delete run…',
      whyNot: whyNoDelete(view),
      run: () => askDelete(stores, view),
    },
    { id: 'id', label: 'Copy run id', run: () => void copyText(stores, view.runId, 'Run id copied.') },
  ]
  return (
    <Menu
      align="end"
      items={items}
      trigger={
        <Button look="quiet" icon aria-label="More actions">
          <Icon name="more" />
        </Button>
      }
    />
  )
}
