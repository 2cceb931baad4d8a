/**
 * The commit and branch a project stands on when a run is made, read from the repository's own files; git itself is asked
 * only where those are of a kind we do not know, since a process costs a run's start more than everything else here.
 */
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

export interface GitHead {
  head: string
  /** Null when HEAD stands on no branch. */
  branch: string | null
}

const run = promisify(execFile)
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
const SYMBOLIC = /^ref: *(refs\/\S+)$/
/** As git has it: more symbolic refs in a row are a circle. */
const DEEPEST = 5

/** Null outside a git repository and in one without a commit. */
export async function gitHead(project: string): Promise<GitHead | null> {
  // Where these are set, the repository is not the one around the project.
  if (process.env['GIT_DIR'] !== undefined || process.env['GIT_WORK_TREE'] !== undefined) return askGit(project)
  try {
    const found = await findGitFolder(project)
    if (found === null) return null
    const read = await readHead(found)
    return read === 'unknown' ? await askGit(project) : read
  } catch {
    return askGit(project)
  }
}

/** The repository's folder: `.git` of the project or of a folder above it, or what a `.git` file of a worktree or submodule names. */
async function findGitFolder(project: string): Promise<string | null> {
  for (let folder = resolve(project); ; folder = dirname(folder)) {
    const path = join(folder, '.git')
    const found = await stat(path).catch(() => null)
    if (found?.isDirectory()) return path
    if (found?.isFile()) {
      const named = /^gitdir: *(.+?)\r?\n?$/.exec(await readFile(path, 'utf8'))?.[1]
      if (named === undefined) throw new Error(`${path} names no folder`)
      return resolve(folder, named)
    }
    if (dirname(folder) === folder) return null
  }
}

/** `unknown`: its refs are kept in a way that only git itself reads. */
async function readHead(folder: string): Promise<GitHead | null | 'unknown'> {
  const common = await textOf(join(folder, 'commondir'))
  const shared = common === null ? folder : resolve(folder, common)
  if ((await stat(join(shared, 'reftable')).catch(() => null)) !== null) return 'unknown'
  let text = await textOf(join(folder, 'HEAD'))
  let name: string | null = null
  for (let depth = 0; depth < DEEPEST; depth++) {
    if (text === null) return null
    if (COMMIT.test(text)) return { head: text, branch: name === null ? null : name.replace(/^refs\/(?:heads\/)?/, '') }
    name = SYMBOLIC.exec(text)?.[1] ?? null
    if (name === null) return 'unknown'
    text = (await textOf(join(folder, name))) ?? (await textOf(join(shared, name))) ?? (await packed(shared, name))
  }
  return 'unknown'
}

async function textOf(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch {
    return null
  }
}

/** A ref that git put into its one file of many. */
async function packed(shared: string, name: string): Promise<string | null> {
  for (const line of ((await textOf(join(shared, 'packed-refs'))) ?? '').split('\n')) {
    const [commit, ref] = line.split(' ')
    if (ref === name && commit !== undefined) return commit
  }
  return null
}

async function askGit(project: string): Promise<GitHead | null> {
  try {
    const { stdout } = await run('git', ['rev-parse', 'HEAD', '--abbrev-ref', 'HEAD'], { cwd: project, timeout: 5000 })
    const [head, branch] = stdout.trim().split('\n')
    return head === undefined ? null : { head, branch: branch === undefined || branch === 'HEAD' ? null : branch }
  } catch {
    return null
  }
}
