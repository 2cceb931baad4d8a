/** Whether a text may run here. The errors say who can do what about it. */
import { AppError } from '../../shared/errors.ts'
import type { Preflight } from '../service/service.ts'
import type { ServerContext } from './server-context.ts'
import { ScriptRefused } from './tool-answer.ts'

/** All findings of one severity, as `path:line:col: what is wrong [code]`, in the order of the file. */
export function findings({ path, diagnostics }: Preflight, severity: 'error' | 'warning'): string[] {
  return diagnostics
    .filter((found) => found.severity === severity)
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, message, code }) => `${path}:${line}:${column}: ${message} [${code}]`)
}

/** @throws ScriptRefused when the script has errors */
export function refuseFaulty(found: Preflight): void {
  const first = found.diagnostics.toSorted((a, b) => a.line - b.line || a.column - b.column).find(({ severity }) => severity === 'error')
  if (first === undefined) return
  const { line, column, message, code } = first
  // errors carry our codes, warnings have their own
  throw new ScriptRefused(new AppError(code as AppError['code'], message, { line, column }), findings(found, 'error'))
}

/**
 * Returns when the text may run; a server started with `--yes` trusts it now.
 * @param agent default agent of the run, null when none was chosen
 * @throws AppError `agent-unset`, `not-trusted`; ScriptRefused
 */
export async function admit(context: ServerContext, found: Preflight, agent: string | null): Promise<void> {
  refuseFaulty(found)
  if (agent === null && found.agentLeftBy !== null) {
    throw new AppError(
      'agent-unset',
      `${found.agentLeftBy} leaves the agent to you. Nothing ran. Give agent “simulated” (free, answers are made up) or “shell”.`,
    )
  }
  if (found.trustNeeded === null) return
  if (context.trustsAll) {
    for (const { sha256, path } of [found, ...found.children]) await context.service.trust(sha256, path)
    return
  }
  const command = context.command(['run', found.path, ...(agent === null ? [] : ['--agent', agent]), '--yes'])
  const why = found.trustNeeded.replace(/\.$/, '')
  throw new AppError(
    'not-trusted',
    `${found.path} is not trusted yet, and ${why}. Nothing ran. A person reads it and trusts this text by running it once in a terminal: ${command}`,
  )
}
