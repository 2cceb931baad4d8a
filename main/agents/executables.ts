/** Finds programs as a shell would: on a PATH, or by their path. */
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

/**
 * @param command a name, or a path (a relative one counts from `folder`)
 * @param path a PATH; its relative entries count for nothing
 * @returns the absolute path of an executable file, or null
 */
export async function findExecutable(
  command: string,
  path: string,
  folder: string,
  platform: NodeJS.Platform = process.platform,
  extensions = process.env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD',
): Promise<string | null> {
  const isPath = command.includes('/') || (platform === 'win32' && command.includes('\\'))
  const folders = isPath ? [folder] : path.split(platform === 'win32' ? ';' : delimiter).filter((entry) => isAbsolute(entry))
  const endings = platform === 'win32' ? ['', ...extensions.split(';')] : ['']
  for (const entry of folders) {
    for (const ending of endings) {
      const file = isPath ? resolve(entry, command + ending) : join(entry, command + ending)
      if (await isExecutable(file, platform)) return file
    }
  }
  return null
}

async function isExecutable(file: string, platform: NodeJS.Platform): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false
    if (platform !== 'win32') await access(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
