/** Puts every method of the contract on Electron's IPC, and nothing else. */
import { ipcMain, type WebContents } from 'electron'
import type { EventName, EventOf } from '../../shared/contract/events.ts'
import { methods } from '../../shared/contract/index.ts'
import type { Method } from '../../shared/contract/method.ts'
import type { MessageLog } from './message-log.ts'
import { type Asker, type Handler, type Handlers, isOurPage, validated } from './validated-ipc.ts'

/** Tells the page something. Lost while there is no page, which asks for everything when it comes. */
export type Send = <N extends EventName>(name: N, value: EventOf<N>) => void

export interface IpcOptions {
  /** Beginning of the page's address, with its closing slash. */
  pageUrl: string
  handlers: Handlers
  log: MessageLog
  /** The page has subscribed to what arrives from outside. */
  onListening(): void
}

export function installIpc({ pageUrl, handlers, log, onListening }: IpcOptions): void {
  const trusts = (asker: Asker) => isOurPage(asker, pageUrl)
  const install = (method: Method, handler: Handler<Method>) => {
    const answer = validated(method, handler, trusts)
    ipcMain.handle(method.name, async (event, input: unknown) => {
      const from = performance.now()
      const result = await answer(event, input)
      log.add(method.name, input, { value: result, ms: performance.now() - from, error: result.ok ? null : result.error.code })
      return result
    })
  }
  for (const method of Object.values(methods)) install(method, handlers[method.name] as Handler<Method>)
  ipcMain.on('page.listens', (event) => {
    if (trusts(event)) onListening()
  })
}

export function sender(page: WebContents, log: MessageLog): Send {
  return (name, value) => {
    if (page.isDestroyed()) return
    log.add(name, value, undefined)
    page.send(name, value)
  }
}
