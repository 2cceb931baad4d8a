/** The application menu. Everything that can be dropped on the window has an item here, and so has every command of the page. */
import { app, Menu, type MenuItemConstructorOptions } from 'electron'
import type { AppCommand } from '../shared/contract/events.ts'
import type { Projects } from './projects.ts'

export interface MenuOptions {
  projects: Projects
  command(name: AppCommand): void
  openProject(): void
  openScript(): void
  importRun(): void
  openRecent(path: string): void
  /** A step in or out; 0: back to 100 %. */
  zoom(by: 1 | -1 | 0): void
}

/** Sets the menu, and again whenever another project is open. */
export function installMenu(options: MenuOptions): void {
  const install = () => Menu.setApplicationMenu(Menu.buildFromTemplate(template(options)))
  options.projects.changed.on(install)
  install()
}

type Items = MenuItemConstructorOptions[]

function template(options: MenuOptions): Items {
  const isMac = process.platform === 'darwin'
  return [
    ...(isMac ? [appMenu(options)] : []),
    { label: 'File', submenu: fileMenu(options, isMac) },
    { role: 'editMenu' },
    { label: 'View', submenu: viewMenu(options) },
    ...(isMac ? [{ role: 'windowMenu' } as const] : []),
    { label: 'Help', role: 'help', submenu: [item('Keyboard shortcuts', 'keys', 'CmdOrCtrl+/', options)] },
  ]
}

function item(label: string, name: AppCommand, accelerator: string, options: MenuOptions): MenuItemConstructorOptions {
  return { label, accelerator, click: () => options.command(name) }
}

function appMenu(options: MenuOptions): MenuItemConstructorOptions {
  return {
    label: app.name,
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      item('Settings…', 'settings', 'CmdOrCtrl+,', options),
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  }
}

function fileMenu(options: MenuOptions, isMac: boolean): Items {
  const recent = options.projects.recent.map(
    ({ path }): MenuItemConstructorOptions => ({ label: path, click: () => options.openRecent(path) }),
  )
  const rest: Items = isMac
    ? [{ role: 'close' }]
    : [
        item('Settings…', 'settings', 'CmdOrCtrl+,', options),
        { role: 'about' },
        { type: 'separator' },
        { role: 'quit', accelerator: 'CmdOrCtrl+Q' },
      ]
  return [
    item('New run…', 'new-run', 'CmdOrCtrl+N', options),
    { type: 'separator' },
    { label: 'Open project…', accelerator: 'CmdOrCtrl+O', click: () => options.openProject() },
    { label: 'Open script…', accelerator: 'CmdOrCtrl+Shift+O', click: () => options.openScript() },
    { label: 'Import run…', click: () => options.importRun() },
    { label: 'Recent projects', enabled: recent.length > 0, submenu: recent },
    item('Reveal project', 'reveal-project', 'CmdOrCtrl+Shift+R', options),
    { type: 'separator' },
    ...rest,
  ]
}

function viewMenu(options: MenuOptions): Items {
  const forDevelopers: Items = app.isPackaged ? [] : [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }]
  return [
    item('Runs', 'home', 'CmdOrCtrl+1', options),
    item('Back', 'back', 'CmdOrCtrl+[', options),
    { type: 'separator' },
    item('Commands…', 'commands', 'CmdOrCtrl+K', options),
    item('Find', 'find', 'CmdOrCtrl+F', options),
    { type: 'separator' },
    { label: 'Zoom in', accelerator: 'CmdOrCtrl+Plus', click: () => options.zoom(1) },
    // The same key without Shift, as most keyboards have it.
    { label: 'Zoom in', accelerator: 'CmdOrCtrl+=', visible: false, acceleratorWorksWhenHidden: true, click: () => options.zoom(1) },
    { label: 'Zoom out', accelerator: 'CmdOrCtrl+-', click: () => options.zoom(-1) },
    { label: 'Actual size', accelerator: 'CmdOrCtrl+0', click: () => options.zoom(0) },
    { role: 'togglefullscreen' },
    ...forDevelopers,
  ]
}
