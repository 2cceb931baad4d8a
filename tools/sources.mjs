/** Tells whether a build is of the sources as they are now, by a fingerprint of every source file's path, size and time. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '..')

const PARTS = {
  cli: ['shared', 'main', 'examples', 'vite.cli.config.ts', 'package.json', 'package-lock.json'],
  app: ['shared', 'main', 'examples', 'preload', 'renderer', 'electron.vite.config.ts', 'package.json', 'package-lock.json'],
}

const stampFile = (part) => path.join(root, 'out', part === 'cli' ? 'cli' : 'main', '.sources')

/** @param {'cli' | 'app'} part */
export function fingerprint(part) {
  const hash = createHash('sha256')
  for (const entry of PARTS[part]) list(path.join(root, entry), hash)
  return hash.digest('hex')
}

/** @param {'cli' | 'app'} part */
export function isBuilt(part) {
  const stamp = stampFile(part)
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === fingerprint(part)
}

/** Marks a folder as the build of these sources. */
export function stamp(outDir, sources) {
  fs.writeFileSync(path.join(outDir, '.sources'), sources)
}

function list(entry, hash) {
  const stat = fs.statSync(entry, { throwIfNoEntry: false })
  if (stat === undefined) return
  if (stat.isFile()) {
    hash.update(`${path.relative(root, entry)}\0${stat.size}\0${stat.mtimeMs}\n`)
    return
  }
  for (const name of fs.readdirSync(entry).sort()) list(path.join(entry, name), hash)
}
