/**
 * The one place that decides which Electron start, dev, test and pack run on: the folder that ELECTRON_OVERRIDE_DIST_PATH
 * names, else the download of the pinned `electron` package, else (Linux x64, where that download can't be reached) the
 * hash-pinned stand-in. Prints the folder when run by itself.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { canMakeStandIn, findStandIn, makeStandIn } from './electron-stand-in.mjs'

const PROBE_MS = 3_000
const DOWNLOAD_MS = 300_000
const UNREACHABLE_FOR_MS = 24 * 60 * 60 * 1000

const require = createRequire(import.meta.url)
const packageDir = path.dirname(require.resolve('electron/package.json'))
const pinned = JSON.parse(fs.readFileSync(path.join(packageDir, 'package.json'), 'utf8')).version
const cacheDir = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'reprise-electron')

/**
 * Finds or makes a runnable Electron.
 * @param {(line: string) => void} [say] told what takes long, one sentence a line
 * @returns {Promise<{ dist: string, binary: string, version: string, kind: 'override' | 'download' | 'stand-in' }>}
 */
export async function electronRuntime(say = () => {}) {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (override) return runtimeIn(path.resolve(override), 'override')
  if (isDownloaded()) return runtimeIn(path.join(packageDir, 'dist'), 'download')
  if (await isReachable()) {
    say(`Downloading Electron ${pinned}`)
    if (download()) return runtimeIn(path.join(packageDir, 'dist'), 'download')
    rememberUnreachable()
  }
  if (!canMakeStandIn()) {
    throw new Error(`Electron ${pinned} could not be downloaded. Run "npx install-electron --no" where its release page can be reached.`)
  }
  const dist = findStandIn(cacheDir) ?? (await makeStandIn(cacheDir, say))
  return runtimeIn(dist, 'stand-in')
}

function binaryOf(dist) {
  if (process.platform === 'darwin') return path.join(dist, 'Electron.app/Contents/MacOS/Electron')
  return path.join(dist, process.platform === 'win32' ? 'electron.exe' : 'electron')
}

function runtimeIn(dist, kind) {
  const versionFile = path.join(dist, 'version')
  const version = fs.existsSync(versionFile) ? fs.readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') : 'unknown'
  return { dist, binary: binaryOf(dist), version, kind }
}

function isDownloaded() {
  const { binary, version } = runtimeIn(path.join(packageDir, 'dist'), 'download')
  return version === pinned && fs.existsSync(binary)
}

function unreachableMark() {
  return path.join(cacheDir, `unreachable-${pinned}`)
}

function rememberUnreachable() {
  fs.mkdirSync(cacheDir, { recursive: true })
  fs.writeFileSync(unreachableMark(), new Date().toISOString())
}

/** A quick look before the real download, which takes long to fail. Proxies are only known to the real one, so it is asked itself. */
async function isReachable() {
  if (!canMakeStandIn()) return true
  const mark = fs.statSync(unreachableMark(), { throwIfNoEntry: false })
  if (mark && Date.now() - mark.mtimeMs < UNREACHABLE_FOR_MS) return false
  if (process.env.HTTPS_PROXY || process.env.https_proxy) return true
  const host = process.env.ELECTRON_MIRROR || process.env.npm_config_electron_mirror || 'https://github.com/electron/electron/releases/'
  try {
    await fetch(host, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(PROBE_MS) })
    return true
  } catch {
    rememberUnreachable()
    return false
  }
}

function download() {
  const stdio = canMakeStandIn() ? 'ignore' : 'inherit'
  const result = spawnSync(process.execPath, [path.join(packageDir, 'install.js')], { stdio, timeout: DOWNLOAD_MS })
  return result.status === 0 && isDownloaded()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const runtime = await electronRuntime((line) => console.error(line))
  console.log(runtime.dist)
}
