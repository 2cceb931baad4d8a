/** The real agent programs that tests drive: where they are, and the words for a test that has to go without. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

export interface Program {
  name: string
  path: string
  installed: boolean
  /** Stands in the name of a group of tests, so that skipped ones say why. */
  title: string
}

/** A program of `test/agents/package.json`, or with `more` of the longer tests' own list. */
export function agentProgram(name: string, more = false): Program {
  const folder = resolve(more ? 'test/agents/more' : 'test/agents')
  const path = resolve(folder, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name)
  const installed = existsSync(path)
  const command = `node tools/agent-programs.mjs${more ? ' --more' : ''}`
  return { name, path, installed, title: installed ? name : `${name} (skipped: the program is not installed, ${command} does it)` }
}
