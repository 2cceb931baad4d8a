/** Asks once whether a script may touch the machine, showing what it can reach for. The answer is pinned to its text. */
import { AppError } from '../../shared/errors.ts'
import type { Preflight } from '../service/service.ts'
import type { Context } from './context.ts'
import { shownPath } from './shown-path.ts'
import { oneLine } from './text/printable.ts'

/** What a script uses, one line each: what a person looks at before trusting it. */
export function usesLines(uses: Preflight['uses']): string[] {
  const names = (list: { name: string }[]) => [...new Set(list.map(({ name }) => oneLine(name)))].join(', ')
  const agents = [uses.defaultAgent ? 'the default agent' : '', names(uses.agentTypes)].filter((part) => part !== '').join(', ')
  return [
    agents === '' ? '' : `agents: ${agents}`,
    uses.models.length === 0 ? '' : `models: ${names(uses.models)}`,
    uses.checks ? 'commands: runs them on this machine' : '',
    uses.worktrees ? 'git worktrees: makes them for its agents' : '',
    uses.children.length === 0 ? '' : `workflows: ${names(uses.children)}`,
  ].filter((line) => line !== '')
}

/**
 * Returns when the text may run.
 * @throws AppError `not-trusted` when nobody can be asked or the answer is no
 */
export async function confirmTrust(context: Context, preflight: Preflight, yes: boolean): Promise<void> {
  if (preflight.trustNeeded === null) return
  const service = await context.service()
  const path = shownPath(preflight.path, context.io.cwd)
  if (!yes) {
    const why = oneLine(preflight.trustNeeded).replace(/\.$/, '')
    if (!context.canAsk) {
      throw new AppError('not-trusted', `${path} has not run here before: ${why}. Look at it, then add --yes to trust this text.`)
    }
    context.warn(`${path} has not run here before: ${why}.`)
    for (const line of usesLines(preflight.uses)) context.warn(`  ${line}`)
    const answer = await context.asker.ask('Trust this text and run it? [y/N] ')
    if (answer !== 'y' && answer !== 'yes') throw new AppError('not-trusted', 'Not trusted; nothing ran.')
  }
  for (const { sha256, path } of [preflight, ...preflight.children]) await service.trust(sha256, path)
}
