/** Draws build/icon.svg at every size that a desktop asks for, into build/icons. Run it after a change of the drawing. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { ensurePackages } from './debian-packages.mjs'
import { inTestSession, rootSwitches } from './desktop-session.mjs'
import { electronRuntime } from './electron-runtime.mjs'

if (!ensurePackages('test')) process.exit(1)
const { binary } = await electronRuntime((line) => console.error(line))
const { program, args } = inTestSession(binary, [...rootSwitches(), '--disable-gpu', path.join(import.meta.dirname, 'draw-icons')])
process.exit(spawnSync(program, args, { stdio: 'inherit' }).status ?? 1)
