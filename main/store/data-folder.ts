/** Where the app keeps its own data (settings, trusted texts): one folder of the user, never a project. */
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * The app's data folder. `REPRISE_HOME` wins; else the platform's usual place. Nothing is created here.
 * @returns an absolute path
 */
export function dataFolder(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform, home = homedir()): string {
  if (env['REPRISE_HOME']) return env['REPRISE_HOME']
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Reprise')
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Reprise')
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'Reprise')
}
