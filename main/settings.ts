/** The person's settings: one file, every row with a default. */
import { join } from 'node:path'
import { DEFAULT_SETTINGS, Settings, type SettingsChange } from '../shared/contract/settings.ts'
import { AppFile } from './app-file.ts'
import { Signal } from './signal.ts'

export class AppSettings {
  readonly changed = new Signal<Settings>()
  readonly #file: AppFile<Settings>

  constructor(dataFolder: string) {
    this.#file = new AppFile(join(dataFolder, 'settings.json'), Settings, DEFAULT_SETTINGS)
  }

  get value(): Settings {
    return this.#file.value
  }

  /** Changes rows; profiles are changed by whoever checked them. */
  change(rows: SettingsChange & Partial<Pick<Settings, 'profiles'>>): Settings {
    this.#file.set({ ...this.#file.value, ...rows })
    this.changed.emit(this.value)
    return this.value
  }

  flush(): Promise<void> {
    return this.#file.flush()
  }
}
