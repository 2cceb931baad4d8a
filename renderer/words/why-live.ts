/** Why a call of this attempt was executed, as a sentence for the inspector. */
import { assertNever } from '../../shared/assert-never.ts'
import type { WhyLive } from '../../shared/run/events.ts'

/** What the reason means, after the words of `WHY_LIVE_WORDS`. */
export function whyLiveSentence(why: WhyLive): string {
  switch (why) {
    case 'no-saved-result':
      return 'an earlier attempt ended before this call had a result.'
    case 'new-call':
      return 'no attempt before this one made the call.'
    case 'prompt-changed':
      return 'its prompt differs from the recorded one. The old result stays readable in its attempt.'
    case 'options-changed':
      return 'it is asked with other options than the recorded call. The old result stays readable in its attempt.'
    case 'died-last-time':
      return 'it ended without a result last time, and a failure is never replayed.'
    case 'was-running':
      return 'it was under way when the last attempt was cut off.'
    case 'you-chose':
      return 'you asked for it and everything after it to run again.'
    case 'earlier-call-changed':
      return 'a call before it changed and reuse stops at the first change.'
    case 'result-unreadable':
      return 'its saved result could not be read back.'
    case 'was-simulated':
      return 'the saved result came from a simulated run.'
    default:
      return assertNever(why)
  }
}
