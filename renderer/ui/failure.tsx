/** Something could not be loaded or done: the sentence of the error, and for faults of ours a way to copy the details. */
import type { ErrorData } from '../../shared/errors.ts'
import { ERRORS } from '../../shared/errors.ts'
import { Button } from './button.tsx'
import { Glyph } from './glyph.tsx'

export function Failure({ error, retry }: { error: ErrorData; retry?: () => void }) {
  const fault = ERRORS[error.code]?.kind === 'fault'
  return (
    <div className="notice" data-tone="failed" role="alert">
      <Glyph tone="failed" />
      <span>{error.message}</span>
      {retry !== undefined && <Button onClick={retry}>Try again</Button>}
      {fault && <Button onClick={() => void navigator.clipboard.writeText(JSON.stringify(error, null, 2))}>Copy details</Button>}
    </div>
  )
}
