/** `npm start [-- file…]`: builds what changed, finds an Electron and starts the app on it. */
import { spawn } from 'node:child_process'
import { buildIfStale } from './build.mjs'
import { ensurePackages } from './debian-packages.mjs'
import { hasDisplay, rootSwitches } from './desktop-session.mjs'
import { electronRuntime } from './electron-runtime.mjs'
import { root } from './sources.mjs'

if (!hasDisplay()) {
  ensurePackages('screen')
  console.error('There is no display. With a virtual one: xvfb-run -a npm start. Without a window: npm run -s reprise -- run <script>')
  process.exit(1)
}
if (!ensurePackages('start')) process.exit(1)
await buildIfStale('app')
const runtime = await electronRuntime((line) => console.error(line))
const app = spawn(runtime.binary, [...rootSwitches(), root, ...process.argv.slice(2)], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  stdio: 'inherit',
})
process.on('SIGINT', () => app.kill('SIGINT'))
process.on('SIGTERM', () => app.kill('SIGTERM'))
app.on('exit', (code) => process.exit(code ?? 1))
