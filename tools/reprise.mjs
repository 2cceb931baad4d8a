/** `npm run -s reprise -- …`: builds the command line when its sources changed, then runs it in the caller's folder. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIfStale } from './build.mjs'
import { root } from './sources.mjs'

await buildIfStale('cli')
const command = path.join(root, 'out', 'cli', 'reprise.mjs')
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
process.argv[1] = command
await import(pathToFileURL(command).href)
