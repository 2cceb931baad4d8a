/** Puts the window on a page of its own, over a bridge of the test's choice. */
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '../../../renderer/app.tsx'
import { ControlsProvider } from '../../../renderer/commands/use-commands.ts'
import { NOW } from '../../../renderer/gallery/fixtures.ts'
import { makeStores, type Stores, StoresProvider } from '../../../renderer/store/stores.ts'
import type { Sheet } from '../../../renderer/store/window-store.ts'
import type { Bridge } from '../../../shared/contract/bridge.ts'

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean
}
globalThis.IS_REACT_ACT_ENVIRONMENT = true

export interface Screen {
  stores: Stores
  /** Lets everything that was asked be answered and shown. */
  settle(): Promise<void>
  open(sheet: Sheet): Promise<void>
  press(key: string, more?: KeyboardEventInit): Promise<void>
  click(target: Element | null | undefined): Promise<void>
  /** Fills a field, as typing does. */
  type(target: Element | null | undefined, text: string): Promise<void>
  /** The button that begins with these words. */
  button(words: string): HTMLButtonElement | undefined
  close(): Promise<void>
}

export async function showApp(bridge: Bridge): Promise<Screen> {
  const stores = makeStores(bridge, () => NOW)
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  const settle = () => act(async () => new Promise((resolve) => setTimeout(resolve)))
  await act(async () =>
    root.render(
      <StoresProvider value={stores}>
        <ControlsProvider value={{ list: null, lanes: null }}>
          <App />
        </ControlsProvider>
      </StoresProvider>,
    ),
  )
  await settle()
  return {
    stores,
    settle,
    async open(sheet) {
      await act(async () => stores.window.getState().openSheet(sheet))
      await settle()
    },
    async press(key, more = {}) {
      const target = document.activeElement ?? document.body
      await act(async () => target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })))
      await settle()
    },
    async click(target) {
      if (target == null) throw new Error('there is nothing to click')
      await act(async () => target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })))
      await settle()
    },
    async type(target, text) {
      if (!(target instanceof HTMLInputElement)) throw new Error('there is no field')
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
      await act(async () => {
        set?.call(target, text)
        target.dispatchEvent(new Event('input', { bubbles: true }))
      })
      await settle()
    },
    button: (words) => [...document.querySelectorAll('button')].find((one) => one.textContent?.trim().startsWith(words)),
    async close() {
      await act(async () => root.unmount())
      document.body.innerHTML = ''
    },
  }
}
