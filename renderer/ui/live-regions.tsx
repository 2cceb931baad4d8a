/** Two live regions, there from the start: one waits for a pause in speech, one does not. The ticking clock is in neither. */
import { useWindow } from '../store/stores.ts'

export function LiveRegions() {
  const polite = useWindow((state) => state.polite)
  const assertive = useWindow((state) => state.assertive)
  return (
    <>
      <div className="heard" role="status" aria-live="polite">
        {polite}
      </div>
      <div className="heard" role="alert" aria-live="assertive">
        {assertive}
      </div>
    </>
  )
}
