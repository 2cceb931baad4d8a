/**
 * `secrets.json` of the app's data folder: keys of profiles for the command line, readable by this user alone (mode 600) and by
 * no other means protected. The desktop app keeps its own in the system's key store and takes from here what it does not have.
 */
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { AppError } from '../../shared/errors.ts'

/** Values by name, by profile. */
export type SecretValues = Readonly<Record<string, Readonly<Record<string, string>>>>

const File = z.object({ schemaVersion: z.literal(1), secrets: z.record(z.string(), z.record(z.string(), z.string())) })

export function secretFile(data: string): string {
  return join(data, 'secrets.json')
}

/** @throws AppError `profile-invalid` for a file that can't be read: a call without its key would fail for a reason nobody sees */
export async function readSecrets(data: string): Promise<SecretValues> {
  const path = secretFile(data)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return {}
    throw new AppError('profile-invalid', `${path} can't be read: ${message}.`, { cause })
  }
  try {
    return File.parse(JSON.parse(text)).secrets
  } catch (cause) {
    throw new AppError('profile-invalid', `${path} is damaged. Move it away and set the secrets anew.`, { cause })
  }
}

/** Sets a secret, or forgets it with null. */
export async function changeSecret(data: string, profile: string, name: string, value: string | null): Promise<void> {
  const secrets = withSecret(await readSecrets(data), profile, name, value)
  const path = secretFile(data)
  const fresh = `${path}.${process.pid}`
  await mkdir(data, { recursive: true })
  await writeFile(fresh, `${JSON.stringify({ schemaVersion: 1, secrets }, null, 2)}\n`, { mode: 0o600 })
  // A file that stood there under this name keeps its mode.
  await chmod(fresh, 0o600)
  await rename(fresh, path)
}

export function withSecret(secrets: SecretValues, profile: string, name: string, value: string | null): SecretValues {
  const { [name]: _, ...others } = secrets[profile] ?? {}
  const own = value === null ? others : { ...others, [name]: value }
  const { [profile]: __, ...rest } = secrets
  return Object.keys(own).length === 0 ? rest : { ...rest, [profile]: own }
}
