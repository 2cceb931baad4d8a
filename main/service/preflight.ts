/** What reading a script tells before any of it runs, and whether it has to be trusted first. */
import { AppError } from '../../shared/errors.ts'
import type { CheckedScript, Diagnostic } from '../engine/source/check-script.ts'
import { defaultTitle } from '../engine/source/workflow-name.ts'
import type { TrustStore } from '../store/trust-store.ts'
import { checkDefaultAgent } from './default-agent.ts'
import { findChild } from './find-child.ts'
import { type LoadedScript, loadScript } from './load-script.ts'
import { isOwnExample } from './own-examples.ts'
import { PROJECT_AGENTS, projectAgents } from './project-agents.ts'
import type { CalledWorkflow, Preflight, Target } from './service.ts'

/**
 * @param agent default agent of the run; with `simulated` nothing can be touched
 * @throws AppError when there is no such script, it can't be read, or nobody knows the agent
 */
export async function preflight(project: string, target: Target, agent: string | undefined, trusted: TrustStore): Promise<Preflight> {
  return preflightOf(await loadScript(project, target), project, agent, trusted)
}

/** The same for a script that was read already, together with the workflows that it names. */
export async function preflightOf(
  script: LoadedScript,
  project: string,
  agent: string | undefined,
  trusted: TrustStore,
): Promise<Preflight> {
  const alone = await preflightAlone(script, project, agent, trusted)
  const diagnostics = [...alone.diagnostics]
  const children: CalledWorkflow[] = []
  let { agentLeftBy } = alone
  for (const use of script.checked.uses.children) {
    try {
      const child = await findChild(project, use.isPath ? { scriptPath: use.name } : { name: use.name })
      const found = await preflightAlone(child, project, agent, trusted)
      const refused = refusal(child.path, found.diagnostics)
      if (refused !== null) throw refused
      agentLeftBy ??= found.agentLeftBy
      const known = children.some(({ sha256 }) => sha256 === child.sha256)
      if (!known) children.push({ name: use.name, path: child.path, sha256: child.sha256, trustNeeded: found.trustNeeded })
    } catch (thrown) {
      // A warning: the script may never get there, make the file before it does, or catch the failure.
      const { code, message } = AppError.wrap(thrown)
      diagnostics.push({ severity: 'warning', code, message, line: use.line, column: use.column })
    }
  }
  const agents = await projectAgents(script.checked, project, agent, trusted)
  if (agents !== null) children.push(agents)
  const uses = { ...alone.uses, defaultAgent: agentLeftBy !== null }
  return { ...alone, diagnostics, uses, agentLeftBy, children, trustNeeded: reasonOf(alone, children) }
}

/** The first reason of the script and its children, and always what the project's own agents start. */
function reasonOf(alone: Preflight, children: readonly CalledWorkflow[]): string | null {
  const agents = children.find(({ name }) => name === PROJECT_AGENTS)?.trustNeeded ?? null
  const first = alone.trustNeeded ?? trustOf(children.filter(({ name }) => name !== PROJECT_AGENTS))
  return first === null || agents === null ? (first ?? agents) : `${first}, and ${agents}`
}

/** Why one of the texts that come along with a script has to be trusted; null when none has. */
export function trustOf(children: readonly CalledWorkflow[]): string | null {
  const child = children.find(({ trustNeeded }) => trustNeeded !== null)
  if (child?.name === PROJECT_AGENTS) return child.trustNeeded
  return child === undefined ? null : `it calls the workflow “${child.name}” (${child.path}), where ${child.trustNeeded}`
}

/** What a text tells by itself. */
export async function preflightAlone(
  script: LoadedScript,
  project: string,
  agent: string | undefined,
  trusted: TrustStore,
): Promise<Preflight> {
  const { checked } = script
  await checkDefaultAgent(agent, project, trusted.folder)
  const diagnostics = [...checked.diagnostics, ...(agent === 'simulated' ? [] : await unknownNames(checked, project, trusted.folder))]
  const needed = touches(checked, agent)
  const isTrusted = needed === null || isOwnExample(script.sha256) || trusted.isTrusted(script.sha256)
  return {
    path: script.path,
    name: script.name,
    text: script.text,
    sha256: script.sha256,
    title: defaultTitle(checked.meta, script.path),
    description: checked.meta?.description ?? null,
    ...(checked.meta?.whenToUse !== undefined && { whenToUse: checked.meta.whenToUse }),
    phases: checked.meta?.phases ?? [],
    diagnostics,
    uses: checked.uses,
    agentLeftBy: checked.uses.defaultAgent ? script.path : null,
    children: [],
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

/** Agents and models that the script names literally and nobody here has. */
async function unknownNames({ uses }: CheckedScript, project: string, data: string): Promise<Diagnostic[]> {
  if (uses.agentTypes.length + uses.models.length === 0) return []
  const [{ Catalog }, { Programs }] = await Promise.all([import('../agents/catalog.ts'), import('../agents/programs.ts')])
  const catalog = await Catalog.read({ project, data, programs: new Programs({ project, data }) })
  const agents = uses.agentTypes
    .filter(({ name }) => !catalog.names.includes(name))
    .map(({ name, ...place }) => ({
      severity: 'error' as const,
      code: 'agent-unknown' as const,
      message: catalog.unknownText(name),
      ...place,
    }))
  const models = uses.models
    .filter(({ name }) => !catalog.knowsModel(name))
    .map(({ name, ...place }) => ({
      severity: 'error' as const,
      code: 'model-unknown' as const,
      message: catalog.unknownModelText(name),
      ...place,
    }))
  return [...agents, ...models]
}

/** The first error of a script that can't run, as one error with its place. */
export function refusal(path: string, diagnostics: readonly Diagnostic[]): AppError | null {
  const error = diagnostics.find((found) => found.severity === 'error')
  if (error === undefined) return null
  const code = error.code as ConstructorParameters<typeof AppError>[0] // errors carry our codes, warnings have their own
  return new AppError(code, `${path}:${error.line}:${error.column}: ${error.message}`, { line: error.line, column: error.column })
}
