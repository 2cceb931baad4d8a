/** What `pin` and `unpin` have in common. */
import type { Context } from './context.ts'

export async function pinRun(context: Context, reference: string, pinned: boolean): Promise<number> {
  const project = await context.project()
  const service = await context.service()
  const runId = await service.resolveRun(project, reference)
  const { number } = await service.show(project, runId)
  await service.pin(project, runId, pinned)
  context.note(pinned ? `Run #${number} is pinned: it stays whatever its age.` : `Run #${number} is not pinned any more.`)
  if (context.forPrograms) context.document({ runId, pinned })
  return 0
}
