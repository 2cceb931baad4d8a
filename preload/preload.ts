/** The page's only way out: one object that satisfies the bridge contract. No logic, nothing of Node, nothing of the schemas. */
import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron'
import type { Ask, Bridge, MethodName, Unsubscribe } from '../shared/contract/bridge.ts'
import type { EventName, EventOf } from '../shared/contract/events.ts'

function ask<N extends MethodName>(name: N): Ask<N> {
  return ((input: unknown) => ipcRenderer.invoke(name, input)) as Ask<N>
}

function subscribe<N extends EventName>(name: N, listener: (value: EventOf<N>) => void): Unsubscribe {
  const heard = (_event: IpcRendererEvent, value: EventOf<N>) => listener(value)
  ipcRenderer.on(name, heard)
  return () => void ipcRenderer.off(name, heard)
}

const bridge = {
  runs: {
    list: ask('runs.list'),
    show: ask('runs.show'),
    call: ask('runs.call'),
    value: ask('runs.value'),
    transcript: ask('runs.transcript'),
    preflight: ask('runs.preflight'),
    trust: ask('runs.trust'),
    launch: ask('runs.launch'),
    dryRun: ask('runs.dryRun'),
    plan: ask('runs.plan'),
    resume: ask('runs.resume'),
    stop: ask('runs.stop'),
    pause: ask('runs.pause'),
    decide: ask('runs.decide'),
    skip: ask('runs.skip'),
    retry: ask('runs.retry'),
    answer: ask('runs.answer'),
    export: ask('runs.export'),
    import: ask('runs.import'),
    remove: ask('runs.remove'),
    revealFile: ask('runs.revealFile'),
    revealShown: ask('runs.revealShown'),
    pin: ask('runs.pin'),
    worktrees: ask('runs.worktrees'),
    worktreeDiff: ask('runs.worktreeDiff'),
    applyWorktree: ask('runs.applyWorktree'),
    discardWorktree: ask('runs.discardWorktree'),
    openWorktree: ask('runs.openWorktree'),
    onChange: (runId, listener) => {
      const unsubscribe = subscribe('runs.changed', (change) => {
        if (change.runId === runId) listener(change)
      })
      void ask('runs.watch')({ runId })
      return () => {
        unsubscribe()
        void ask('runs.unwatch')({ runId })
      }
    },
  },
  history: {
    onChange: (listener) => subscribe('history.changed', listener),
  },
  agents: {
    list: ask('agents.list'),
    today: ask('agents.today'),
    test: ask('agents.test'),
    save: ask('agents.save'),
    remove: ask('agents.remove'),
    setSecret: ask('agents.setSecret'),
  },
  projects: {
    recent: ask('projects.recent'),
    current: ask('projects.current'),
    open: ask('projects.open'),
    forget: ask('projects.forget'),
    reveal: ask('projects.reveal'),
    check: ask('projects.check'),
    repair: ask('projects.repair'),
  },
  workflows: {
    list: ask('workflows.list'),
    check: ask('workflows.check'),
    save: ask('workflows.save'),
    openInEditor: ask('workflows.openInEditor'),
    create: ask('workflows.create'),
  },
  settings: {
    get: ask('settings.get'),
    set: ask('settings.set'),
    onChange: (listener) => subscribe('settings.changed', listener),
  },
  dialogs: {
    openScript: ask('dialogs.openScript'),
    openProject: ask('dialogs.openProject'),
  },
  app: {
    info: ask('app.info'),
    inspectDrop: ask('app.inspectDrop'),
    openSample: ask('app.openSample'),
    ipcLog: ask('app.ipcLog'),
    onOpen: (listener) => {
      const unsubscribe = subscribe('app.open', listener)
      ipcRenderer.send('page.listens')
      return unsubscribe
    },
    onCommand: (listener) => subscribe('app.command', listener),
    pathForFile: (file) => webUtils.getPathForFile(file),
  },
} satisfies Bridge

contextBridge.exposeInMainWorld('reprise', bridge)
