/**
 * Installs the agent programs that tests drive for real into test/agents (with `--more`, those of the longer tests too), each
 * version as its lock file says. They are no part of the app. Where they can't be had, their tests are skipped and say so.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './sources.mjs'

const FOLDER = path.join(root, 'test', 'agents')
const MORE = path.join(FOLDER, 'more')
/** Says which lock file the installed programs come from. */
const STAMP = path.join('node_modules', '.reprise-programs')

/** Whether the folder's programs are there now. Says what it does and what went wrong. */
export function ensureAgentPrograms(folder = FOLDER) {
  const name = path.relative(root, folder)
  const wanted = createHash('sha256')
    .update(fs.readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = path.join(folder, STAMP)
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return true
  console.log(`Installing the agent programs of ${name}`)
  const startedAt = performance.now()
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  // `npm ci` wants a lock entry for every system; a registry that carries one system's programs only gives no such lock file.
  const verb = folder === MORE ? ['install', '--no-save'] : ['ci']
  const { status, stderr } = spawnSync(npm, [...verb, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  if (status !== 0) {
    console.log(`They could not be installed (after ${seconds} s), so their tests are skipped:\n${stderr ?? ''}`)
    return false
  }
  fs.writeFileSync(stamp, wanted)
  console.log(`Installed in ${seconds} s`)
  return true
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folders = process.argv.includes('--more') ? [FOLDER, MORE] : [FOLDER]
  process.exit(folders.every((folder) => ensureAgentPrograms(folder)) ? 0 : 1)
}
