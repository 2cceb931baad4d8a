/** `npm run dev`: the app with hot reload of the page and a rebuild of main and preload on change, on the same Electron as tests. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { ensurePackages } from './debian-packages.mjs'
import { hasDisplay, rootSwitches } from './desktop-session.mjs'
import { electronRuntime } from './electron-runtime.mjs'
import { root } from './sources.mjs'

if (!hasDisplay()) {
  ensurePackages('screen')
  console.error('There is no display. With a virtual one: xvfb-run -a npm run dev')
  process.exit(1)
}
if (!ensurePackages('start')) process.exit(1)
const runtime = await electronRuntime((line) => console.error(line))
const noSandbox = rootSwitches().length > 0 ? ['--noSandbox'] : []
const electronVite = path.join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
const dev = spawn(process.execPath, [electronVite, 'dev', '--watch', ...noSandbox, '--', ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, ELECTRON_EXEC_PATH: runtime.binary },
  stdio: 'inherit',
})
process.on('SIGINT', () => dev.kill('SIGINT'))
process.on('SIGTERM', () => dev.kill('SIGTERM'))
dev.on('exit', (code) => process.exit(code ?? 1))
