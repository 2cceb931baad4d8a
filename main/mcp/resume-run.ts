/** Goes on with a run for a host: the service's resume, with the questions a terminal would ask answered or put into words. */
import { AppError } from '../../shared/errors.ts'
import type { RunId } from '../../shared/ids.ts'
import type { LiveRun, ResumeOptions } from '../service/service.ts'
import { admit } from './admit.ts'
import type { ServerContext } from './server-context.ts'

/** @throws AppError with what has to be decided or mended; nothing was started then */
export async function resumeRun(context: ServerContext, runId: RunId, options: ResumeOptions): Promise<LiveRun> {
  const { service, project } = context
  try {
    return await context.own.start(() => service.resume(runId, options))
  } catch (thrown) {
    const error = AppError.wrap(thrown)
    const isAboutText = error.code === 'not-trusted' || error.code === 'agent-unset' || error.line !== undefined
    if (!isAboutText) throw error
    const view = await service.show(project, runId)
    const agent = options.agent ?? view.backend ?? undefined
    const found = await service.preflight(project, { path: options.file ?? view.path }, agent).catch(() => null)
    if (found === null) throw error
    await admit(context, found, agent ?? null)
    if (error.code !== 'not-trusted') throw error
    return context.own.start(() => service.resume(runId, options))
  }
}
