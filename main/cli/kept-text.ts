/** Says so when a run goes on from the text that it keeps, because the file it was started from is gone. */
import { stat } from 'node:fs/promises'
import type { RunView } from '../../shared/run/view.ts'
import type { Context } from './context.ts'
import { shownPath } from './shown-path.ts'

/**
 * @param run the run's view; one of an older tool keeps no text
 * @param given another file that is to run instead
 */
export async function noteKeptText(
  context: Context,
  { path, script }: Pick<RunView, 'path' | 'script'>,
  given: string | undefined,
): Promise<void> {
  if (given !== undefined || path === '' || script === '') return
  const code = await stat(path).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? null,
  )
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    context.note(`${shownPath(path, context.io.cwd)} is gone; the text that ran last is used, which the run keeps.`)
  }
}
