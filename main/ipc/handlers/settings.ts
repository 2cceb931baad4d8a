/** Answers about the app's settings. */
import type { AppSettings } from '../../settings.ts'
import type { Handlers } from '../validated-ipc.ts'

export function settingsHandlers(settings: AppSettings): Pick<Handlers, 'settings.get' | 'settings.set'> {
  return {
    'settings.get': () => settings.value,
    'settings.set': (rows) => settings.change(rows),
  }
}
