/** Why a call of this attempt was executed, as a sentence for the inspector. */
import { assertNever } from '../../shared/assert-never.ts'
import type { WhyLive } from '../../shared/run/events.ts'

/** The reason in a few words, after "Live: ". */
export function whyLive(why: WhyLive): string {
  switch (why) {
    case 'no-saved-result':
      return 'no saved result'
    case 'new-call':
      return 'new call'
    case 'prompt-changed':
      return 'prompt changed'
    case 'options-changed':
      return 'options changed'
    case 'died-last-time':
      return 'died last time'
    case 'was-running':
      return 'was running'
    case 'you-chose':
      return 'you chose to re-run it'
    case 'earlier-call-changed':
      return 'an earlier call changed'
    case 'result-unreadable':
      return 'saved result unreadable'
    case 'was-simulated':
      return 'it was simulated'
    default:
      return assertNever(why)
  }
}

/** The same with what follows from it. */
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
