/**
 * What the outside asks to bring on screen: arguments of a start, files from a file manager, links, clicks on notifications.
 * Each waits here until the page says that it listens; none is lost to a page that is still loading.
 */
import { statSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AppOpen } from '../shared/contract/events.ts'
import { RunId } from '../shared/ids.ts'
import { nearestProject, type Projects, projectOfWorkflow } from './projects.ts'

const SCRIPT_ENDINGS = ['.ts', '.js', '.mjs']
const RUN_LINK = /^reprise:\/\/run\/([^/?#]+)(?:\/(\d+))?(?:\/(\d+))?\/?$/

export type Sorted = { kind: 'project' | 'script' | 'bundle'; path: string } | { kind: 'refused'; message: string }

/** Ends the name of an exported run. */
const BUNDLE_ENDING = '.reprise'

/** What a path is to us. Looks at the file system, opens nothing. */
export function sortPath(path: string): Sorted {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return { kind: 'refused', message: `“${basename(path)}” isn't there any more.` }
  if (stat.isDirectory()) return { kind: 'project', path }
  if (stat.isFile() && SCRIPT_ENDINGS.includes(extname(path).toLowerCase())) return { kind: 'script', path }
  if (stat.isFile() && extname(path).toLowerCase() === BUNDLE_ENDING) return { kind: 'bundle', path }
  return {
    kind: 'refused',
    message: `“${basename(path)}” isn't a project folder, a workflow script (.ts, .js or .mjs) or an exported run (.reprise).`,
  }
}

/** What several dropped paths are together: one thing, or a sentence that says why not. */
export function sortPaths(paths: readonly string[]): Sorted {
  const [first, ...more] = paths
  if (first === undefined) return { kind: 'refused', message: 'What was dropped is no file on this machine.' }
  if (more.length > 0)
    return { kind: 'refused', message: `${paths.length} files at once can't be opened. Drop one script, one folder or one exported run.` }
  return sortPath(first)
}

/**
 * The words of a command line that name something to open, without switches and without the app's own folder.
 * @param argv as the process got it, the program first
 * @param appPath folder of the app when it runs from source, else null
 */
export function wordsToOpen(argv: readonly string[], appPath: string | null): string[] {
  const words = argv.slice(1).filter((word) => !word.startsWith('-'))
  const own = appPath === null ? -1 : words.findIndex((word) => resolve(word) === resolve(appPath))
  return own === -1 ? words : words.toSpliced(own, 1)
}

export class Openings {
  readonly #projects: Projects
  readonly #deliver: (open: AppOpen) => void
  #waiting: AppOpen[] = []
  #isListening = false

  constructor(projects: Projects, deliver: (open: AppOpen) => void) {
    this.#projects = projects
    this.#deliver = deliver
  }

  /** The page has subscribed: everything that waits goes out, in order. */
  pageListens(): void {
    this.#isListening = true
    for (const open of this.#waiting.splice(0)) this.#deliver(open)
  }

  /** The page is being loaded (again): things wait until it says that it listens. */
  pageLoads(): void {
    this.#isListening = false
  }

  push(open: AppOpen): void {
    if (this.#isListening) this.#deliver(open)
    else this.#waiting.push(open)
  }

  /** A path, a `file:` URL or a `reprise:` link, as command lines and file managers write them. */
  pushWord(word: string, cwd: string): void {
    try {
      this.push(this.#read(word, cwd))
    } catch (error) {
      this.push({ kind: 'refused', message: error instanceof Error ? error.message : String(error) })
    }
  }

  #read(word: string, cwd: string): AppOpen {
    if (word.startsWith('reprise:')) return readLink(word)
    const sorted = sortPath(word.startsWith('file:') ? fileURLToPath(word) : resolve(cwd, word))
    if (sorted.kind === 'project') return { kind: 'project', project: this.#projects.open(sorted.path) }
    switch (sorted.kind) {
      case 'script':
        this.openProjectOf(sorted.path)
        return { kind: 'script', path: sorted.path }
      case 'bundle':
        return { kind: 'bundle', path: sorted.path }
      case 'refused':
        return sorted
    }
  }

  /**
   * A named workflow belongs to its project; any other script runs in the open one, or in the nearest when none is open.
   * Tells the page when another project is open by that.
   */
  openProjectOf(script: string): void {
    const before = this.#projects.current
    const folder = projectOfWorkflow(script) ?? (before?.exists === true ? before.path : nearestProject(script))
    if (folder !== before?.path) this.push({ kind: 'project', project: this.#projects.open(folder) })
  }
}

function readLink(link: string): AppOpen {
  const [, id, attempt, call] = RUN_LINK.exec(link) ?? []
  const runId = RunId.safeParse(id)
  if (!runId.success) return { kind: 'refused', message: `The link ${link.slice(0, 200)} names no run.` }
  return {
    kind: 'run',
    runId: runId.data,
    attempt: attempt === undefined ? null : Number(attempt),
    call: call === undefined ? null : Number(call),
  }
}
