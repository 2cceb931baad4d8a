/**
 * Reads a child when a run opens it, and refuses what may not run. There is nobody to ask in the middle of a run: a child
 * that can touch the machine runs when its very text was trusted, which a launch asks for together with its own for every
 * workflow that the script names literally.
 */
import { AppError } from '../../shared/errors.ts'
import type { ChildReference, LoadChild } from '../engine/ports.ts'
import type { TrustStore } from '../store/trust-store.ts'
import { agentUnset } from './default-agent.ts'
import { findChild } from './find-child.ts'
import { checkedText, extensionOf, type LoadedScript } from './load-script.ts'
import { preflightAlone, refusal } from './preflight.ts'

export interface ChildLoaderOptions {
  project: string
  /** Default agent of the run. */
  agent: string | null
  trusted: TrustStore
  /** Nothing of it will start, as in a plan: no trust is needed. */
  onlyPlans?: boolean
  /** A text that the run keeps. */
  kept(sha256: string, ext: string): Promise<string>
}

export function childLoader({ project, agent, trusted, onlyPlans = false, kept }: ChildLoaderOptions): LoadChild {
  const asItWas = async (reference: ChildReference, text: { sha256: string; ext: string }): Promise<LoadedScript> => {
    const file = 'name' in reference ? `${reference.name}.${text.ext}` : reference.scriptPath
    return checkedText(await kept(text.sha256, text.ext), file, extensionOf(file), null)
  }
  return async (reference, before) => {
    const script = await findChild(project, reference).catch((error: unknown) => {
      const { code } = AppError.wrap(error)
      if (before !== null && (code === 'file-missing' || code === 'workflow-unknown')) return asItWas(reference, before)
      throw error
    })
    const found = await preflightAlone(script, project, agent ?? undefined, trusted)
    const refused = refusal(script.path, found.diagnostics)
    if (refused !== null) throw refused
    if (agent === null && found.uses.defaultAgent) throw agentUnset(script.path)
    if (found.trustNeeded !== null && !onlyPlans) {
      throw new AppError(
        'not-trusted',
        `${script.path} is not trusted as it is now, and ${found.trustNeeded}. Run it once by itself to trust it, or resume and be asked.`,
      )
    }
    const { prepared } = script.checked
    if (prepared === null) throw new AppError('internal', `${script.path} was checked and could not be prepared`)
    return { prepared, sha256: script.sha256, text: script.text, ext: script.ext }
  }
}
