/**
 * The git worktrees of runs: one for a call that asks for isolation, or one for a whole run. Each has a branch of its own from
 * the commit that the run recorded. What was not changed goes away with its branch, what was changed stays until a person
 * applies or discards it. The main tree is touched by `apply` alone.
 */
import { appendFile, mkdir, mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { GitError, git } from './git.ts'

/** One worktree as it is now. */
export interface Worktree {
  runId: string
  /** Null: that of the whole run. */
  call: number | null
  path: string
  branch: string
}

export interface Changes {
  files: { path: string; added: number; removed: number }[]
}

/** Why there is no worktree, in words for the call's result. */
export class WorktreeError extends Error {
  /** Another git was at work: it is worth another try. */
  readonly isPassing: boolean

  constructor(message: string, isPassing = false) {
    super(message)
    this.isPassing = isPassing
  }
}

const BRANCH_PREFIX = 'reprise/'
const FOLDER = ['.claude', 'worktrees']
/** The last part tells whose it is, so that a run's id may hold dashes too. */
const NAME = /^([A-Za-z0-9_-]{1,128})-(\d{1,9}|run)$/

export class Worktrees {
  private readonly project: string
  /** Git writes its list of worktrees without a lock of its own, so ours are made one after the other. */
  private last: Promise<unknown> = Promise.resolve()

  constructor(project: string) {
    this.project = project
  }

  /**
   * Makes a worktree at a commit, and gives the folder in it that stands for the project. One of the same name is made anew,
   * unless `keep` says that its work goes on.
   * @param base the commit; null when the run recorded none
   * @throws WorktreeError
   */
  async make(runId: string, call: number | null, base: string | null, keep: boolean): Promise<string> {
    if (base === null)
      throw new WorktreeError(`${this.project} has no git commit that the run could start from. Commit once, then start a new run`)
    const made = this.last.then(() => this.add(runId, call, base, keep))
    this.last = made.catch(() => {})
    try {
      return await made
    } catch (error) {
      if (error instanceof WorktreeError) throw error
      const why = error instanceof Error ? error.message : String(error)
      throw new WorktreeError(`No worktree could be made: ${why}`, error instanceof GitError && error.isLocked)
    }
  }

  private async add(runId: string, call: number | null, base: string, keep: boolean): Promise<string> {
    const { prefix, common } = await this.repository()
    const name = nameOf(runId, call)
    const path = join(this.project, ...FOLDER, name)
    const inside = resolve(path, prefix)
    if (keep && (await isFolder(inside))) return inside
    await this.exclude(common, prefix)
    await this.makeFolders()
    if (await isFolder(path)) await git(this.project, ['worktree', 'remove', '--force', '--force', path])
    await git(this.project, ['worktree', 'add', '--quiet', '--force', '-B', BRANCH_PREFIX + name, path, base])
    if (!(await isFolder(inside))) {
      await this.remove({ runId, call, path, branch: BRANCH_PREFIX + name })
      throw new WorktreeError(`The folder of the project, ${prefix}, is not in the commit ${base.slice(0, 12)} that the run started from`)
    }
    return inside
  }

  /** Those of one run, or all of them; the run's own first, then by call. Empty outside of a git repository. */
  async list(runId?: string): Promise<Worktree[]> {
    const folder = await realpath(join(this.project, ...FOLDER)).catch(() => null)
    if (folder === null) return []
    const text = await git(this.project, ['worktree', 'list', '--porcelain', '-z']).catch(() => '')
    const found = text.split('\0\0').flatMap((entry): Worktree[] => {
      const fields = new Map(entry.split('\0').map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)]))
      const path = fields.get('worktree') ?? ''
      const [, owner, call] = NAME.exec(basename(path)) ?? []
      if (dirname(path) !== folder || owner === undefined) return []
      const branch = fields.get('branch')?.replace(/^refs\/heads\//, '') ?? BRANCH_PREFIX + basename(path)
      return [{ runId: owner, call: call === 'run' ? null : Number(call), path, branch }]
    })
    return found
      .filter((one) => runId === undefined || one.runId === runId)
      .sort((a, b) => a.runId.localeCompare(b.runId) || (a.call ?? -1) - (b.call ?? -1))
  }

  /** What was changed in it since the commit: committed or not, files that git ignores left out. */
  async changes(worktree: Pick<Worktree, 'path'>, base: string): Promise<Changes> {
    const text = await compare(worktree.path, base, ['--numstat', '-z', '--no-renames'])
    const files = text.split('\0').flatMap((line) => {
      const [added = '', removed = '', path] = line.split('\t')
      // A dash stands for a file that is no text.
      return path === undefined ? [] : [{ path, added: Number(added) || 0, removed: Number(removed) || 0 }]
    })
    return { files }
  }

  /** The changes as a patch. */
  diff(worktree: Pick<Worktree, 'path'>, base: string): Promise<string> {
    return compare(worktree.path, base, ['--binary', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'])
  }

  /**
   * Puts the changes into the project's own tree, all of them or none, and takes the worktree away. Nothing is committed.
   * @throws WorktreeError when they don't fit the files as they are now
   */
  async apply(worktree: Worktree, base: string): Promise<Changes> {
    const changes = await this.changes(worktree, base)
    const patch = await this.diff(worktree, base)
    const { top } = await this.repository()
    try {
      if (patch !== '') await git(top, ['apply', '--whitespace=nowarn', '-'], { input: patch })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new WorktreeError(
        `The changes don't fit your files as they are now (${why}). Nothing was changed. Merge the branch ${worktree.branch} yourself, or look at ${worktree.path}`,
      )
    }
    await this.remove(worktree)
    return changes
  }

  /** Takes it away with its branch and everything in it. */
  async remove({ path, branch }: Worktree): Promise<void> {
    await git(this.project, ['worktree', 'remove', '--force', '--force', path]).catch(async (error: unknown) => {
      if (await isFolder(path)) throw error
      await git(this.project, ['worktree', 'prune'])
    })
    if (branch.startsWith(BRANCH_PREFIX)) await git(this.project, ['branch', '--quiet', '-D', branch]).catch(() => {})
  }

  /** Takes it away when nothing was changed in it; else gives the changes. */
  async removeIfUnchanged(worktree: Worktree, base: string): Promise<Changes | null> {
    const changes = await this.changes(worktree, base)
    if (changes.files.length > 0) return changes
    await this.remove(worktree)
    return null
  }

  private async repository(): Promise<{ top: string; prefix: string; common: string }> {
    try {
      const said = await git(this.project, ['rev-parse', '--show-toplevel', '--git-common-dir', '--show-prefix'])
      const [top = '', common = '', prefix = ''] = said.split('\n')
      return { top, common: resolve(this.project, common), prefix }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new WorktreeError(`${this.project} is no git repository that can be used: ${why}`)
    }
  }

  /** Git does not show them as new files of the project; no file of the project says so, only the repository's own list. */
  private async exclude(common: string, prefix: string): Promise<void> {
    const file = join(common, 'info', 'exclude')
    const line = `/${prefix}${FOLDER.join('/')}/`
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.split(/\r?\n/).includes(line)) return
    await mkdir(dirname(file), { recursive: true })
    await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`)
  }

  /** Folder by folder, so that nothing is made behind a link that leads out of the project. */
  private async makeFolders(): Promise<void> {
    const root = await realpath(this.project)
    let folder = this.project
    for (const part of FOLDER) {
      folder = join(folder, part)
      if (!(await isFolder(folder))) await mkdir(folder)
      if (relative(root, await realpath(folder)).split(sep)[0] === '..') {
        throw new WorktreeError(`${folder} leads out of the project, so no worktree is made there`)
      }
    }
  }
}

/** New files are changes too. An index beside the tree's own serves, so that an agent at work there is not disturbed. */
async function compare(path: string, base: string, how: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-index-'))
  const index = join(folder, 'index')
  try {
    await git(path, ['read-tree', base], { index })
    await git(path, ['add', '--intent-to-add', '--all', '--', '.'], { index })
    return await git(path, ['diff', '--no-ext-diff', ...how, base], { index })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function nameOf(runId: string, call: number | null): string {
  return `${runId}-${call ?? 'run'}`
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
