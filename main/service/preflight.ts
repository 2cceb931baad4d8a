/** Finds the script a person named, reads it and checks it; says whether it has to be trusted first. */
import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { AppError } from '../../shared/errors.ts'
import { agentUnknownText, knownAgentTypes } from '../agents/agent-names.ts'
import { sha256 } from '../engine/fingerprint.ts'
import { type CheckedScript, checkScript, type Diagnostic } from '../engine/source/check-script.ts'
import { defaultTitle, isWorkflowName, workflowFiles } from '../engine/source/workflow-name.ts'
import type { TrustStore } from '../store/trust-store.ts'
import { isOwnExample } from './own-examples.ts'
import type { Preflight, Target } from './service.ts'

export type ScriptExtension = 'ts' | 'js' | 'mjs'
/** Larger files are no scripts that anybody wrote. */
const MAX_BYTES = 4 * 1024 * 1024

export interface LoadedScript {
  path: string
  name: string | null
  text: string
  sha256: string
  ext: ScriptExtension
  checked: CheckedScript
}

/** @throws AppError when there is no such script, or it can't be read as one */
export async function loadScript(project: string, target: Target): Promise<LoadedScript> {
  const path = 'path' in target ? target.path : await findNamed(project, target.name)
  const ext = extensionOf(path)
  const text = await readScript(path)
  const checked = await checkScript(text, basename(path))
  return { path, name: 'name' in target ? target.name : null, text, sha256: sha256(text), ext, checked }
}

/** @param agent default agent of the run; with `simulated` nothing can be touched */
export async function preflight(project: string, target: Target, agent: string | undefined, trusted: TrustStore): Promise<Preflight> {
  const script = await loadScript(project, target)
  const { checked } = script
  const diagnostics = [...checked.diagnostics, ...(agent === 'simulated' ? [] : await unknownAgents(checked, project))]
  const needed = touches(checked, agent)
  const isTrusted = needed === null || isOwnExample(script.sha256) || trusted.isTrusted(script.sha256)
  return {
    path: script.path,
    name: script.name,
    text: script.text,
    sha256: script.sha256,
    title: defaultTitle(checked.meta, script.path),
    description: checked.meta?.description ?? null,
    phases: checked.meta?.phases ?? [],
    diagnostics,
    uses: checked.uses,
    trustNeeded: isTrusted ? null : needed,
  }
}

/** What a script may do to the machine, in words; null when nothing. */
function touches({ uses }: CheckedScript, agent: string | undefined): string | null {
  if (agent === 'simulated') return null
  if (uses.checks) return 'it runs commands on this machine'
  const shell = uses.agentTypes.find((type) => type.name === 'shell')
  if (shell !== undefined) return `it runs shell commands on this machine (line ${shell.line})`
  if (uses.defaultAgent && agent === 'shell') return 'its prompts are run as shell commands on this machine'
  return uses.hooks.includes('agent') ? 'its agents may write files on this machine' : null
}

async function unknownAgents({ uses }: CheckedScript, project: string): Promise<Diagnostic[]> {
  if (uses.agentTypes.length === 0) return []
  const known = await knownAgentTypes(project)
  return uses.agentTypes
    .filter(({ name }) => !known.includes(name))
    .map(({ name, line, column }) => ({ severity: 'error', code: 'agent-unknown', message: agentUnknownText(name, known), line, column }))
}

/** The first error of a script that can't run, as one error with its place. */
export function refusal(path: string, diagnostics: readonly Diagnostic[]): AppError | null {
  const error = diagnostics.find((found) => found.severity === 'error')
  if (error === undefined) return null
  const code = error.code as ConstructorParameters<typeof AppError>[0] // errors carry our codes, warnings have their own
  return new AppError(code, `${path}:${error.line}:${error.column} ${error.message}`, { line: error.line, column: error.column })
}

/** The nearest `.claude/workflows` above the project folder wins, then the user's own. */
async function findNamed(project: string, name: string): Promise<string> {
  if (!isWorkflowName(name))
    throw new AppError('name-invalid', `"${name}" is not a workflow's name: use letters, digits, - and _, without a path`)
  const folders: string[] = []
  for (let folder = resolve(project); ; folder = dirname(folder)) {
    folders.push(join(folder, '.claude', 'workflows'))
    if (folder === dirname(folder)) break
  }
  folders.push(join(homedir(), '.claude', 'workflows'))
  for (const folder of folders) {
    for (const file of workflowFiles(name)) {
      const path = join(folder, file)
      if (await isFile(path)) return path
    }
  }
  throw new AppError(
    'workflow-unknown',
    `No workflow named "${name}" in ${join(project, '.claude', 'workflows')} or above it. Make one: reprise new ${name}`,
  )
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}

function extensionOf(path: string): ScriptExtension {
  const ext = extname(path).slice(1)
  if (ext === 'ts' || ext === 'js' || ext === 'mjs') return ext
  throw new AppError('not-a-script', `${path} is no workflow script: its name has to end in .ts, .js or .mjs`)
}

async function readScript(path: string): Promise<string> {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
      throw new AppError('file-missing', `There is no file ${path}. Check the path, or list what there is with: ls ${dirname(path)}`)
    throw new AppError('file-unreadable', `${path} can't be read (${cause.code ?? cause.message}). Check its permissions.`)
  })
  if (found.isDirectory()) throw new AppError('not-a-script', `${path} is a folder. Name a script in it.`)
  if (found.size > MAX_BYTES) throw new AppError('not-a-script', `${path} has ${found.size} bytes; a script has at most ${MAX_BYTES}`)
  return readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new AppError('file-unreadable', `${path} can't be read (${cause.code ?? cause.message}). Check its permissions.`)
  })
}
