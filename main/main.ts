/** The desktop app's start, as a list. What each line does is in the file of that name. */
import { join } from 'node:path'
import { app, nativeTheme, shell } from 'electron'
import type { AppCommand } from '../shared/contract/events.ts'
import type { RunId } from '../shared/ids.ts'
import { APP_ORIGIN, registerAppScheme, serveApp } from './app-scheme.ts'
import { agentHandlers } from './ipc/handlers/agents.ts'
import { appHandlers } from './ipc/handlers/app.ts'
import { createDialogs, dialogHandlers } from './ipc/handlers/dialogs.ts'
import { projectHandlers } from './ipc/handlers/projects.ts'
import { runFileHandlers } from './ipc/handlers/run-files.ts'
import { runHandlers } from './ipc/handlers/runs.ts'
import { settingsHandlers } from './ipc/handlers/settings.ts'
import { workflowHandlers } from './ipc/handlers/workflows.ts'
import { HistoryFeed } from './ipc/history-feed.ts'
import { installIpc, sender } from './ipc/install.ts'
import { MessageLog } from './ipc/message-log.ts'
import { RunFeed } from './ipc/run-feed.ts'
import { Lifecycle } from './lifecycle.ts'
import { LiveRuns } from './live-runs.ts'
import { installMenu } from './menu.ts'
import { notifyOfEnds } from './notify.ts'
import { notifyOfWaiting } from './notify-waiting.ts'
import { Openings, wordsToOpen } from './openings.ts'
import { Projects } from './projects.ts'
import { keepShort } from './retention.ts'
import { AppSecrets } from './secrets.ts'
import type { Service } from './service/service.ts'
import { startService } from './service/service-thread.ts'
import { AppSettings } from './settings.ts'
import { isFirstInstance, onSecondInstance } from './single-instance.ts'
import { followProgress } from './taskbar-progress.ts'
import { createTray } from './tray.ts'
import { keepAwake } from './wake.ts'
import { MainWindow } from './windows.ts'
import { followZoom, stepZoom } from './zoom.ts'

const OUT = join(import.meta.dirname, '..')
const devUrl = process.env.ELECTRON_RENDERER_URL ?? null

if (process.env.REPRISE_USER_DATA) app.setPath('userData', process.env.REPRISE_USER_DATA)
registerAppScheme()
if (isFirstInstance()) void app.whenReady().then(boot)
else app.exit(0)

function boot(): void {
  const dataFolder = app.getPath('userData')
  const settings = new AppSettings(dataFolder)
  const projects = new Projects(dataFolder)
  const secrets = new AppSecrets(dataFolder)
  const service = startService({
    entry: new URL('./service-worker.mjs', import.meta.url),
    data: dataFolder,
    secrets,
    onLost: (error, runs) => void dialogs.tellLost(error, runs),
  })
  const live = new LiveRuns()
  followTheme(settings)

  serveApp(join(OUT, 'renderer'))
  const window = new MainWindow({
    dataFolder,
    preload: join(OUT, 'preload', 'preload.cjs'),
    devUrl,
    isDark: nativeTheme.shouldUseDarkColors,
    hidesOnClose: () => live.entries.length > 0,
  })
  const page = window.browser.webContents
  const messages = new MessageLog()
  const send = sender(page, messages)
  followZoom(page, settings)
  settings.changed.on((value) => send('settings.changed', value))
  const openings = new Openings(projects, (open) => send('app.open', open))
  const dialogs = createDialogs(window.browser, projects)
  const runFeed = new RunFeed(service, live, send)
  const historyFeed = new HistoryFeed(projects, live, (change) => {
    send('history.changed', change)
    void runFeed.lookAgain()
  })
  const desktop = {
    savePath: dialogs.savePath,
    trash: (path: string) => shell.trashItem(path),
    reveal: (path: string) => shell.showItemInFolder(path),
    env: process.env,
  }
  installIpc({
    pageUrl: devUrl === null ? `${APP_ORIGIN}/` : new URL('/', devUrl).href,
    handlers: {
      ...runHandlers(service, projects, live, runFeed),
      ...runFileHandlers(service, projects, desktop, () => historyFeed.changed()),
      ...projectHandlers(service, projects),
      ...workflowHandlers(service, projects),
      ...settingsHandlers(settings),
      ...agentHandlers({ service, projects, settings, secrets, dataFolder }),
      ...dialogHandlers(dialogs, openings),
      ...appHandlers(openings, dataFolder, messages),
    },
    log: messages,
    onListening: () => openings.pageListens(),
  })
  page.on('did-start-loading', () => {
    openings.pageLoads()
    runFeed.clear()
  })

  const openRun = (runId: RunId) => {
    window.show()
    openings.push({ kind: 'run', runId, attempt: null, call: null })
  }
  const command = (name: AppCommand) => {
    window.show()
    send('app.command', name)
  }
  const openWords = (words: readonly string[], cwd: string) => {
    window.show()
    for (const word of words) openings.pushWord(word, cwd)
  }
  const openChosen = async (choice: Promise<{ path: string } | null>) => {
    const chosen = await choice
    if (chosen !== null) openWords([chosen.path], dataFolder)
  }

  installMenu({
    projects,
    command,
    openProject: () => void openChosen(dialogs.openProject()),
    openScript: () => void openChosen(dialogs.openScript()),
    importRun: () => void openChosen(dialogs.openBundle()),
    openRecent: (path) => openWords([path], dataFolder),
    zoom: (by) => settings.change({ zoom: by === 0 ? 100 : stepZoom(settings.value.zoom, by) }),
  })
  const removeTray = createTray({
    icon: join(app.getAppPath(), 'build', 'icons', '32x32.png'),
    live,
    show: () => window.show(),
    openRun,
    newRun: () => command('new-run'),
  })
  notifyOfWaiting({
    live,
    settings: () => settings.value,
    isInFront: () => window.browser.isFocused(),
    open: (runId, call) => {
      window.show()
      openings.push({ kind: 'run', runId, attempt: null, call })
    },
  })
  notifyOfEnds({ live, settings: () => settings.value, isInFront: () => window.browser.isFocused(), open: openRun })
  followProgress(live, (share) => {
    if (!window.browser.isDestroyed()) window.browser.setProgressBar(share)
  })
  keepAwake(live, settings)
  keepShort({ service, live, projects, settings, trash: desktop.trash, onRemoved: () => historyFeed.changed() })
  new Lifecycle({
    live,
    window,
    flush: async () => {
      historyFeed.close()
      removeTray()
      await Promise.all([settings.flush(), secrets.flush(), projects.flush(), window.flush()])
    },
  })

  if (projects.current?.exists) bringInOrder(service, projects.current.path)
  projects.changed.on((project) => {
    if (project?.exists) bringInOrder(service, project.path)
  })

  const appPath = app.isPackaged ? null : app.getAppPath()
  for (const word of wordsToOpen(process.argv, appPath)) openings.pushWord(word, process.cwd())
  onSecondInstance(({ argv, cwd }) => openWords(wordsToOpen(argv, appPath), cwd))
  app.on('open-file', (event, path) => {
    event.preventDefault()
    openWords([path], dataFolder)
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    openWords([url], dataFolder)
  })
  app.on('activate', () => window.show())
}

/** Runs that a dead process left are interrupted and can be resumed; what it left running is ended. */
function bringInOrder(service: Service, project: string): void {
  void service.reconcile(project).catch((error: unknown) => console.error(`The runs of ${project} could not be brought in order`, error))
}

function followTheme(settings: AppSettings): void {
  nativeTheme.themeSource = settings.value.theme
  settings.changed.on(({ theme }) => {
    nativeTheme.themeSource = theme
  })
}
