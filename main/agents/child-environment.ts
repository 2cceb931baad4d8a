/** What a child process may see of our environment: an allow-list, so that keys and tokens of the person stay here. */

const POSIX = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR', 'USER', 'SHELL', 'TZ']
const WINDOWS = [
  ...['PATH', 'PATHEXT', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'TEMP', 'TMP', 'LANG', 'TZ', 'USERNAME', 'USERPROFILE'],
  ...['HOMEDRIVE', 'HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)'],
]

/**
 * The environment of one call's processes: of ours what is allowed everywhere and what `pass` names, then `set`. Our
 * marks come last: they tell a program for whom it works, and let us find again what it left behind.
 */
export function childEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  owner: MarkedFor,
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
  return Object.assign(env, marksOf(owner))
}

interface MarkedFor {
  runId: string
  call: number
  /** A run that was imported has the id that it has elsewhere. */
  project?: string
}

/** The variables that say for which call a process works. */
export function marksOf({ runId, call, project }: MarkedFor): Record<string, string> {
  return { REPRISE_RUN: runId, REPRISE_CALL: String(call), ...(project !== undefined && { REPRISE_PROJECT: project }) }
}

/** Those of a call's process, by which one that left its family is still known as ours; none of a process that serves many calls. */
export function callMarks({ REPRISE_RUN, REPRISE_CALL, REPRISE_PROJECT }: Readonly<Record<string, string>>): Record<string, string> {
  if (REPRISE_RUN === undefined || REPRISE_CALL === undefined) return {}
  return { REPRISE_RUN, REPRISE_CALL, ...(REPRISE_PROJECT !== undefined && { REPRISE_PROJECT }) }
}
