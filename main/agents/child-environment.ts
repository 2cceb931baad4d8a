/** What a child process may see of our environment: an allow-list, so that keys and tokens of the person stay here. */

const POSIX = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR', 'USER', 'SHELL', 'TZ']
const WINDOWS = [
  ...['PATH', 'PATHEXT', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'TEMP', 'TMP', 'LANG', 'TZ', 'USERNAME', 'USERPROFILE'],
  ...['HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)'],
]

/**
 * The environment of one call's processes: of ours what is allowed everywhere and what `pass` names, then `set`. `REPRISE_RUN`,
 * `REPRISE_CALL` and `REPRISE_PROJECT` tell a program for whom it works, and let us find again what it left behind: a run that
 * was imported has the id that it has elsewhere.
 */
export function childEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  owner: { runId: string; call: number; project?: string },
  { pass = [], set = {} }: { pass?: readonly string[]; set?: Readonly<Record<string, string>> } = {},
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const windows = platform === 'win32'
  const allowed = new Set([...(windows ? WINDOWS : POSIX), ...pass.map((name) => (windows ? name.toUpperCase() : name))])
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(source)) {
    const key = windows ? name.toUpperCase() : name
    if (value !== undefined && (allowed.has(key) || key.startsWith('LC_'))) env[name] = value
  }
  Object.assign(env, set)
  env.REPRISE_RUN = owner.runId
  env.REPRISE_CALL = String(owner.call)
  if (owner.project !== undefined) env.REPRISE_PROJECT = owner.project
  return env
}
