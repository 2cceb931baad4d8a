/** `npm run e2e [-- playwright arguments]`: the tests on real windows, with a screen and a session bus of their own where needed. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from './build.mjs'
import { ensurePackages } from './debian-packages.mjs'
import { inTestSession } from './desktop-session.mjs'
import { electronRuntime } from './electron-runtime.mjs'
import { root } from './sources.mjs'

/**
 * Runs Playwright on the built app.
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<number>} its exit code
 */
export async function runEndToEnd(args, env = {}) {
  if (!ensurePackages('test')) return 1
  await buildIfStale('app')
  await buildIfStale('cli')
  const runtime = await electronRuntime((line) => console.error(line))
  console.error(`End-to-end tests run on Electron ${runtime.version} (${runtime.kind})`)
  const playwright = path.join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  const session = inTestSession(process.execPath, [playwright, 'test', ...args])
  const result = spawnSync(session.program, session.args, {
    cwd: root,
    env: { ...process.env, ...env, ELECTRON_OVERRIDE_DIST_PATH: runtime.dist },
    stdio: 'inherit',
  })
  if (result.error) throw result.error
  return result.status ?? 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(await runEndToEnd(process.argv.slice(2)))
