/** Runs git, quietly: no questions, no hooks of the project, none of the variables by which a caller points it elsewhere. */
import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'

/** Its words are git's own last line. */
export class GitError extends Error {
  /** Another git is at work in the same repository. */
  readonly isLocked: boolean

  constructor(stderr: string) {
    const said = stderr.split('\n').filter((line) => /^(?:fatal|error):/.test(line))
    super((said[0] ?? stderr.trim().split('\n').at(-1) ?? '').replace(/^(?:fatal|error): /, '') || 'git failed without a word')
    this.isLocked = /\.lock'?: File exists|Another git process|could not lock|cannot lock ref|unable to create .*\.lock/i.test(stderr)
  }
}

const LOCK_WAIT_MS = 400
const MOST_BYTES = 256 * 1024 * 1024
const QUIET = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'gc.auto=0', '-c', 'advice.detachedHead=false']

interface Options {
  input?: string
  /** Another index than that of the working tree, so that nobody who works there is disturbed. */
  index?: string
}

/**
 * Gives what git printed. When another git holds a lock it tries once more.
 * @throws GitError
 */
export async function git(folder: string, args: readonly string[], options: Options = {}): Promise<string> {
  try {
    return await once(folder, args, options)
  } catch (error) {
    if (!(error instanceof GitError) || !error.isLocked) throw error
    await wait(LOCK_WAIT_MS)
    return once(folder, args, options)
  }
}

function once(folder: string, args: readonly string[], { input, index }: Options): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: environment(index), maxBuffer: MOST_BYTES, windowsHide: true } as const
    const child = execFile('git', [...QUIET, ...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      const missing = error.code === 'ENOENT' ? 'fatal: git is not installed, or the folder is missing' : ''
      reject(new GitError(missing || stderr || `fatal: ${error.message}`))
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

function environment(index: string | undefined): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name))
  const quiet = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }
  return { ...Object.fromEntries(kept), ...quiet, ...(index !== undefined && { GIT_INDEX_FILE: index }) }
}
