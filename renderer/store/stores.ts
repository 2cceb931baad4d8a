/** The stores of one window, made once and handed down by context. */
import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import type { StoreApi } from 'zustand/vanilla'
import type { Bridge } from '../../shared/contract/bridge.ts'
import type { HistoryState } from './history-store.ts'
import { createHistoryStore } from './history-store.ts'
import type { RunState } from './run-store.ts'
import { createRunStore } from './run-store.ts'
import type { WindowState } from './window-store.ts'
import { createWindowStore } from './window-store.ts'

export interface Stores {
  bridge: Bridge
  /** Milliseconds since 1970. */
  clock: () => number
  history: StoreApi<HistoryState>
  run: StoreApi<RunState>
  window: StoreApi<WindowState>
}

export function makeStores(bridge: Bridge, clock: () => number = Date.now): Stores {
  return {
    bridge,
    clock,
    history: createHistoryStore(bridge),
    run: createRunStore(bridge, clock),
    window: createWindowStore(bridge),
  }
}

const StoresContext = createContext<Stores | null>(null)
export const StoresProvider = StoresContext.Provider

export function useStores(): Stores {
  const stores = useContext(StoresContext)
  if (stores === null) throw new Error('Screens need a StoresProvider above them')
  return stores
}

export function useHistory<T>(pick: (state: HistoryState) => T): T {
  return useStore(useStores().history, pick)
}

export function useRun<T>(pick: (state: RunState) => T): T {
  return useStore(useStores().run, pick)
}

export function useWindow<T>(pick: (state: WindowState) => T): T {
  return useStore(useStores().window, pick)
}
