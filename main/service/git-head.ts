/** The commit and branch a project stands on when a run is made. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Null outside a git repository, in one without a commit, and where git is missing. */
export async function gitHead(project: string): Promise<{ head: string; branch: string | null } | null> {
  try {
    const { stdout } = await run('git', ['rev-parse', 'HEAD', '--abbrev-ref', 'HEAD'], { cwd: project, timeout: 5000 })
    const [head, branch] = stdout.trim().split('\n')
    return head === undefined ? null : { head, branch: branch === undefined || branch === 'HEAD' ? null : branch }
  } catch {
    return null
  }
}
