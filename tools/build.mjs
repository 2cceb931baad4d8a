/**
 * Builds the command line (out/cli) and the desktop app (out/main, out/preload, out/renderer).
 * Usage: node tools/build.mjs [cli] [app]; both without a word.
 */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprint, isBuilt, root, stamp } from './sources.mjs'

/**
 * Builds out/cli. The finished folder takes the old one's place at once, so a command that starts meanwhile finds either whole.
 * Says nothing but warnings and errors, on stderr.
 */
export async function buildCli() {
  const { build } = await import('vite')
  const sources = fingerprint('cli')
  const outDir = path.join(root, 'out', `cli-new-${process.pid}`)
  try {
    await build({ root, configFile: path.join(root, 'vite.cli.config.ts'), logLevel: 'warn', build: { outDir, emptyOutDir: true } })
    fs.chmodSync(path.join(outDir, 'reprise.mjs'), 0o755)
    stamp(outDir, sources)
    replace(outDir, path.join(root, 'out', 'cli'))
  } finally {
    fs.rmSync(outDir, { recursive: true, force: true })
  }
}

/** Builds the three bundles of the desktop app. */
export async function buildApp() {
  const { build } = await import('electron-vite')
  const sources = fingerprint('app')
  // electron-vite reads its config and the app's entry from the working folder.
  process.chdir(root)
  await build({ root, configFile: path.join(root, 'electron.vite.config.ts'), logLevel: 'warn' })
  stamp(path.join(root, 'out', 'main'), sources)
}

/** @param {'cli' | 'app'} part */
export async function buildIfStale(part) {
  if (isBuilt(part)) return
  await (part === 'cli' ? buildCli() : buildApp())
}

function replace(made, target) {
  const old = `${target}-old-${process.pid}`
  if (fs.existsSync(target)) fs.renameSync(target, old)
  try {
    fs.renameSync(made, target)
  } catch (error) {
    // Another build of the same sources came first.
    if (!fs.existsSync(target)) throw error
  }
  fs.rmSync(old, { recursive: true, force: true })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const parts = process.argv.length > 2 ? process.argv.slice(2) : ['cli', 'app']
  try {
    if (parts.includes('cli')) await buildCli()
    if (parts.includes('app')) await buildApp()
  } catch (error) {
    // The bundler's message has file, line and a picture; its stack is of no use to anybody.
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
