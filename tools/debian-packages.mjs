/**
 * Names every Debian package that starting, testing and packing need, and installs what is missing when it may.
 * Silent when nothing is missing, and on systems without dpkg for everything that does not need it.
 * Usage: node tools/debian-packages.mjs start|screen|test|pack
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What Electron links against or starts. */
const ELECTRON = [
  'libgtk-3-0',
  'libnss3',
  'libgbm1',
  'libasound2',
  'libnotify4',
  'libxss1',
  'libxtst6',
  'libatspi2.0-0',
  'libsecret-1-0',
  'xdg-utils',
  'fonts-dejavu-core',
  'unzip',
]
/** A virtual display. */
const SCREEN = ['xvfb', 'xauth']
/** A session bus and the bindings of the fake desktop; git for worktrees, procps for the process tests. */
const TESTS = ['dbus', 'python3-dbus', 'python3-gi', 'git', 'procps']
const PACKING = ['dpkg-dev', 'fakeroot', 'p7zip-full', 'desktop-file-utils']

const PACKAGES = {
  start: ELECTRON,
  screen: [...ELECTRON, ...SCREEN],
  test: [...ELECTRON, ...SCREEN, ...TESTS],
  pack: [...ELECTRON, ...PACKING],
}

/** What a system without dpkg must bring itself for a purpose, by program name. */
const PROGRAMS = { start: [], screen: ['xvfb-run'], test: ['xvfb-run', 'dbus-run-session', 'git'], pack: [] }

/** dpkg's own placeholders, not ours. */
const field = (name) => `\${${name}}`
const QUERY = `${['db:Status-Status', 'Package', 'Provides'].map(field).join('\t')}\n`

/**
 * Makes sure that the packages for `purpose` are there.
 * @param {keyof typeof PACKAGES} purpose
 * @returns {boolean} false when something is missing and could not be installed; the reason was printed.
 */
export function ensurePackages(purpose) {
  if (process.platform !== 'linux') return true
  const installed = installedPackages()
  if (installed === null) return reportPrograms(PROGRAMS[purpose])
  const missing = PACKAGES[purpose].filter((name) => !installed.has(name))
  if (missing.length === 0) return true
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`
  if (process.getuid?.() !== 0) {
    console.error(`Missing Debian packages: ${missing.join(' ')}. Install them with: sudo ${command}`)
    return false
  }
  console.error(`Installing Debian packages: ${missing.join(' ')}`)
  // An index from an earlier day may name versions that are gone, so the list is read anew once.
  if (!apt(['update', '-qq'])) return false
  return apt(['install', '-y', '-qq', '--no-install-recommends', ...missing])
}

/** Names of installed packages and of what they provide (libgtk-3-0 is libgtk-3-0t64 on newer releases); null without dpkg. */
function installedPackages() {
  let text
  try {
    text = execFileSync('dpkg-query', ['-W', '-f', QUERY], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return null
  }
  const names = new Set()
  for (const line of text.split('\n')) {
    const [status, name, provides = ''] = line.split('\t')
    if (status !== 'installed' || !name) continue
    names.add(name)
    for (const provided of provides.split(',')) names.add(provided.trim().split(' ')[0])
  }
  return names
}

function apt(args) {
  const result = spawnSync('apt-get', args, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (result.status === 0) return true
  console.error(`apt-get ${args.join(' ')} failed:\n${result.error?.message ?? `${result.stdout}${result.stderr}`}`)
  return false
}

function reportPrograms(programs) {
  const missing = programs.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status !== 0)
  if (missing.length === 0) return true
  console.error(`Not found on PATH: ${missing.join(', ')}. Install them with this system's package manager.`)
  return false
}

/** @returns {keyof typeof PACKAGES | undefined} */
function purposeNamed(word) {
  return Object.hasOwn(PACKAGES, word) ? word : undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const purpose = purposeNamed(process.argv[2] ?? 'test')
  if (purpose === undefined) {
    console.error(`Unknown purpose "${process.argv[2]}": one of ${Object.keys(PACKAGES).join(', ')}`)
    process.exit(2)
  }
  process.exit(ensurePackages(purpose) ? 0 : 1)
}
