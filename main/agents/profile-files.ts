/**
 * The files that hold profiles: the person's `settings.json` and the project's `.claude/reprise.json`. A profile that can't be
 * used is an error that names file, line and what to write; the others of the file still count.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type * as z from 'zod'
import { Profile } from '../../shared/contract/agents.ts'
import { AppError } from '../../shared/errors.ts'
import type { Json } from '../../shared/json.ts'
import { jsonFault } from '../../shared/json-fault.ts'
import { BUILT_IN_AGENT_TYPES, BUILT_IN_PROFILES } from './agent-names.ts'
import { tellsCost } from './cost.ts'
import type { ProfileSource, SourcedProfile } from './profiles.ts'

export interface ProfileFile {
  path: string
  /** Of the whole text; null when there is no such file. */
  sha256: string | null
  profiles: SourcedProfile[]
  /** US dollars that all agents may cost in one day; null for no limit. */
  maxCostPerDay: number | null
  problems: AppError[]
}

type Place = readonly (string | number)[]

/** The person's own. @param data the app's data folder */
export function readUserProfiles(data: string): Promise<ProfileFile> {
  return readProfiles(join(data, 'settings.json'), 'user', ['data', 'profiles'])
}

export function readProjectProfiles(project: string): Promise<ProfileFile> {
  return readProfiles(join(project, '.claude', 'reprise.json'), 'project', ['profiles'])
}

/** US dollars that all agents may cost in one day: the smaller one where more than one file sets a limit; null without any. */
export function dayLimit(files: readonly ProfileFile[]): number | null {
  const limits = files.flatMap(({ maxCostPerDay }) => maxCostPerDay ?? [])
  return limits.length === 0 ? null : Math.min(...limits)
}

async function readProfiles(path: string, source: ProfileSource, at: Place): Promise<ProfileFile> {
  const file: ProfileFile = { path, sha256: null, profiles: [], maxCostPerDay: null, problems: [] }
  let text: string
  try {
    text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code !== 'ENOENT' && code !== 'ENOTDIR') file.problems.push(invalid(`${path} can't be read: ${(cause as Error).message}.`, {}))
    return file
  }
  file.sha256 = createHash('sha256').update(text).digest('hex')
  const whole = parsed(text)
  if (whole === null) {
    file.problems.push(notJson(path, text))
    return file
  }
  const limit = [...at.slice(0, -1), 'maxCostPerDay'].reduce<Json | undefined>((value, key) => memberOf(value, key), whole.value)
  if (typeof limit === 'number' && limit >= 0) file.maxCostPerDay = limit
  const list = at.reduce<Json | undefined>((value, key) => memberOf(value, key), whole.value)
  if (list === undefined) return file
  if (!Array.isArray(list)) {
    file.problems.push(await misfit(path, text, at, 'is a list of profiles, such as [{"name": "…", "backend": "claude"}]'))
    return file
  }
  const names = new Set<string>()
  for (const [index, entry] of list.entries()) {
    const place = [...at, index]
    const read = Profile.safeParse(entry)
    if (!read.success) file.problems.push(await firstIssue(path, text, place, entry, read.error))
    else if (isReserved(read.data.name))
      file.problems.push(await misfit(path, text, [...place, 'name'], `“${read.data.name}” is built in; use another name`))
    else if (names.has(read.data.name))
      file.problems.push(await misfit(path, text, [...place, 'name'], `“${read.data.name}” is there twice`))
    else if (read.data.maxCostPerDay !== undefined && !tellsCost(read.data))
      file.problems.push(
        await misfit(
          path,
          text,
          [...place, 'maxCostPerDay'],
          `profile “${read.data.name}”, maxCostPerDay: nobody can tell what it costs; give it “pricing” too`,
        ),
      )
    else {
      names.add(read.data.name)
      file.profiles.push({ profile: read.data, source, file: path })
    }
  }
  return file
}

function isReserved(name: string): boolean {
  return [...BUILT_IN_AGENT_TYPES, ...BUILT_IN_PROFILES].some((known) => known === name)
}

async function firstIssue(path: string, text: string, place: Place, entry: Json, error: z.ZodError): Promise<AppError> {
  const issue = error.issues[0]
  if (issue === undefined) return misfit(path, text, place, 'is no profile')
  const inside = issue.path.filter((key) => typeof key !== 'symbol')
  const named = memberOf(entry, 'name')
  const who = typeof named === 'string' ? `profile “${named}”` : 'a profile'
  // An unknown member is where it is written; a missing one where its owner begins.
  const extra = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const where = [...place, ...inside, ...(extra === undefined ? [] : [extra])]
  const what = extra === undefined ? `${inside.join('.') || 'it'}: ${issue.message}` : `“${extra}” is no row of a profile of this backend`
  return misfit(path, text, where, `${who}, ${what}`)
}

/** @param place the way to the value in the whole text; the nearest part that is there gives the line */
async function misfit(path: string, text: string, place: Place, what: string): Promise<AppError> {
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, keepSourceTokens: false })
  for (let length = place.length; length >= 0; length -= 1) {
    const node = document.getIn(place.slice(0, length), true)
    const range = typeof node === 'object' && node !== null && 'range' in node ? (node.range as [number] | null | undefined) : null
    if (range === null || range === undefined) continue
    const { line, col } = lines.linePos(range[0])
    return invalid(`${path}:${line}: ${what}.`, { line, column: col })
  }
  return invalid(`${path}: ${what}.`, {})
}

function notJson(path: string, text: string): AppError {
  const { at, expected } = jsonFault(text) ?? { at: 0, expected: 'JSON' }
  const before = text.slice(0, at).split('\n')
  const line = before.length
  const column = (before.at(-1) ?? '').length + 1
  return invalid(`${path}:${line}:${column}: this is not JSON; expected ${expected}.`, { line, column })
}

function invalid(message: string, place: { line?: number; column?: number }): AppError {
  return new AppError('profile-invalid', message, place)
}

function parsed(text: string): { value: Json } | null {
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return null
  }
}

function memberOf(value: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key as string] : undefined
}
