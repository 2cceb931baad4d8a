/** The samples that come with Reprise are trusted by their text, so that trying one asks nothing. */
import askFirst from '../../examples/ask-first.workflow.js?raw'
import repoHealth from '../../examples/repo-health.workflow.ts?raw'
import review from '../../examples/review.workflow.js?raw'
import tour from '../../examples/tour.workflow.js?raw'
import { sha256 } from '../engine/fingerprint.ts'

const OWN = [askFirst, repoHealth, review, tour]

export function isOwnExample(textSha256: string): boolean {
  return OWN.some((text) => sha256(text) === textSha256)
}
