/**
 * What `electron [switches] <folder or file> [arguments]` runs in the stand-in runtime. An ES module that awaits the app's
 * entry, because Electron holds back 'ready' until its ESM entry has settled: schemes are registered before that.
 */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from 'electron/main'

const requireFromHere = createRequire(path.join(process.cwd(), 'default-app.js'))
const target = readCommandLine(process.argv.slice(1))

if (target === undefined) {
  console.error('usage: electron [switches] <folder or file> [arguments]')
  process.exit(1)
}
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true })
try {
  await import(pathToFileURL(requireFromHere.resolve(introduce(target))).href)
} catch (error) {
  console.error(error?.stack ?? error)
  process.exit(1)
}

/** Answers --version, loads `-r` files (test drivers attach by one) and returns the first argument that is no switch. */
function readCommandLine(args) {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]
    if (arg === '-v' || arg === '--version') {
      console.log(`v${process.versions.electron}`)
      process.exit(0)
    }
    if (arg === '-r' || arg === '--require') requireFromHere(args[++at])
    else if (!arg.startsWith('-')) return path.resolve(arg)
  }
  return undefined
}

/** Tells Electron the app's name, version and folder from its package.json; returns the entry file. */
function introduce(appPath) {
  const manifest = path.join(appPath, 'package.json')
  if (!fs.existsSync(manifest)) {
    app.setAppPath(fs.statSync(appPath).isDirectory() ? appPath : path.dirname(appPath))
    return appPath
  }
  const { name, productName, version, desktopName, main } = JSON.parse(fs.readFileSync(manifest, 'utf8'))
  app.setAppPath(appPath)
  if (version) app.setVersion(version)
  if (productName ?? name) app.setName(productName ?? name)
  app.setDesktopName(desktopName ?? `${app.getName()}.desktop`)
  return path.join(appPath, main ?? 'index.js')
}
