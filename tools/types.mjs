/**
 * `npm run types`: every project of tsconfig.json, then the desktop code once more against the oldest Electron it must run on
 * (its declarations come from the registry once and are kept in node_modules/.cache).
 */
import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root } from './sources.mjs'

const OLDEST = '33.2.1'
const declarations = path.join(root, 'node_modules', '.cache', 'electron-types', OLDEST)

const tsc = (/** @type {string[]} */ ...args) =>
  spawnSync(process.execPath, [path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'), ...args, '--pretty', 'false'], {
    cwd: root,
    stdio: 'inherit',
  }).status ?? 1

const code = tsc('-b')
if (code !== 0) process.exit(code)
if (!fs.existsSync(path.join(declarations, 'electron.d.ts'))) fetchDeclarations()
process.exit(tsc('-p', 'tsconfig.electron-33.json'))

function fetchDeclarations() {
  const work = `${declarations}-${process.pid}`
  fs.mkdirSync(work, { recursive: true })
  execFileSync('npm', ['pack', `electron@${OLDEST}`, '--pack-destination', work, '--silent'], { stdio: ['ignore', 'ignore', 'inherit'] })
  execFileSync('tar', ['-xzf', path.join(work, `electron-${OLDEST}.tgz`), '-C', work, '--strip-components=1', 'package/electron.d.ts'])
  fs.rmSync(declarations, { recursive: true, force: true })
  fs.renameSync(work, declarations)
}
