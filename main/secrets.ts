/**
 * Keys of profiles in the system's key store: encrypted by `safeStorage`, kept in the app's data folder. Where the system has no
 * key store they go into the file of the command line, which this user alone can read.
 */
import { join } from 'node:path'
import { safeStorage } from 'electron'
import * as z from 'zod'
import { changeSecret, type SecretValues, withSecret } from './agents/secret-file.ts'
import { AppFile } from './app-file.ts'
import { Signal } from './signal.ts'

/** Encrypted values in base64, by name, by profile. */
const Encrypted = z.record(z.string(), z.record(z.string(), z.string()))

export class AppSecrets {
  readonly changed = new Signal<SecretValues>()
  readonly #data: string
  readonly #file: AppFile<z.infer<typeof Encrypted>>

  constructor(dataFolder: string) {
    this.#data = dataFolder
    this.#file = new AppFile(join(dataFolder, 'app-secrets.json'), Encrypted, {})
  }

  /** Those that can be read; what another user or machine has encrypted is left out. */
  get values(): SecretValues {
    if (!this.#hasStore()) return {}
    return mapped(this.#file.value, (value) => safeStorage.decryptString(Buffer.from(value, 'base64')))
  }

  /** Sets a secret, or forgets it with null. */
  async change(profile: string, name: string, value: string | null): Promise<void> {
    const isKept = value !== null && this.#hasStore()
    const encrypted = isKept ? safeStorage.encryptString(value).toString('base64') : null
    this.#file.set(withSecret(this.#file.value, profile, name, encrypted) as z.infer<typeof Encrypted>)
    // The file must not keep an older value beside the new one.
    await changeSecret(this.#data, profile, name, isKept ? null : value)
    await this.#file.flush()
    this.changed.emit(this.values)
  }

  flush(): Promise<void> {
    return this.#file.flush()
  }

  /** On Linux without a key store Electron would encrypt with a password that everybody knows. */
  #hasStore(): boolean {
    if (!safeStorage.isEncryptionAvailable()) return false
    return process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text'
  }
}

function mapped(secrets: SecretValues, plain: (value: string) => string): SecretValues {
  const entries = Object.entries(secrets).map(([profile, own]) => {
    const readable = Object.entries(own).flatMap(([name, value]) => {
      try {
        return [[name, plain(value)] as const]
      } catch {
        return []
      }
    })
    return [profile, Object.fromEntries(readable)] as const
  })
  return Object.fromEntries(entries)
}
