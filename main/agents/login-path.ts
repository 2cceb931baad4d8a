/**
 * The PATH of the person's login shell, for apps that were started from a dock or menu with next to none. Asked once, within a
 * bounded time, and kept in the app's data folder.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import * as z from 'zod'
import { runCommand } from './command.ts'

const Kept = z.object({ schemaVersion: z.literal(1), path: z.string(), shell: z.string(), at: z.number() })

/** A shell that asks questions or hangs in its start-up files is not waited for. */
const SHELL_MS = 5000
const DAY_MS = 24 * 3_600_000
/** What start-up files print comes before and after. */
const MARK = '__REPRISE_PATH__'

type Env = Readonly<Record<string, string | undefined>>

/** The kept PATH; null when none was asked for yet. @param data the app's data folder */
export async function keptLoginPath(data: string): Promise<string | null> {
  return (await kept(data))?.path ?? null
}

/** Asks again when what is kept is older than a day: for an app that was started from a dock, before anybody needs it. */
export async function refreshLoginPath(data: string, env: Env = process.env, now: number = Date.now()): Promise<void> {
  const at = (await kept(data))?.at ?? 0
  if (now - at > DAY_MS) await askLoginPath(data, env)
}

async function kept(data: string): Promise<z.infer<typeof Kept> | null> {
  try {
    return Kept.parse(JSON.parse(await readFile(fileOf(data), 'utf8')))
  } catch {
    return null
  }
}

/**
 * Asks the login shell and keeps the answer.
 * @returns null when it does not answer in time, or there is none on this platform
 */
export async function askLoginPath(data: string, env: Env = process.env, ms = SHELL_MS): Promise<string | null> {
  if (process.platform === 'win32') return null
  const shell = env['SHELL'] || userInfo().shell || '/bin/sh'
  // The environment's own spelling: not every shell keeps its PATH as one text.
  const words = `echo ${MARK}; printenv PATH; echo ${MARK}`
  const given = Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
  const end = await runCommand(
    // An interactive login shell reads all start-up files; `fish` and `zsh` know both letters too.
    { file: shell, args: ['-ilc', words], cwd: '/', env: { ...given, TERM: 'dumb' } },
    { signal: AbortSignal.timeout(ms), onLine: () => undefined, onSpawn: () => undefined },
  )
  const path = end.kind === 'exited' ? end.stdout.text.split(MARK)[1]?.trim() : undefined
  if (path === undefined || path === '') return null
  await keep(data, { schemaVersion: 1, path, shell, at: Date.now() })
  return path
}

/** Our own PATH first, so that a terminal's choice of versions counts; then what the login shell has beside it. */
export function joinedPath(own: string | undefined, login: string | null): string {
  const entries = [...(own ?? '').split(delimiter), ...(login ?? '').split(delimiter)]
  return [...new Set(entries.filter((entry) => isAbsolute(entry)))].join(delimiter)
}

async function keep(data: string, asked: z.infer<typeof Kept>): Promise<void> {
  const file = fileOf(data)
  try {
    await mkdir(data, { recursive: true })
    await writeFile(`${file}.${process.pid}`, `${JSON.stringify(asked, null, 2)}\n`)
    await rename(`${file}.${process.pid}`, file)
  } catch {
    // It is only asked again next time.
  }
}

function fileOf(data: string): string {
  return join(data, 'login-path.json')
}
