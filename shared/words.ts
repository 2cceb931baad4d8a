/** The words for states and reasons, the same on every screen and in the terminal. One place, so that no two of them disagree. */
import type { WhyLive } from './run/events.ts'
import type { DeadReason, PauseReason, WaitReason } from './run/record.ts'
import type { RunStatus } from './run/view.ts'

export const RUN_STATUS_WORDS: Readonly<Record<RunStatus, string>> = {
  queued: 'Queued',
  running: 'Running',
  waiting: 'Waiting',
  paused: 'Paused',
  completed: 'Completed',
  failed: 'Failed',
  killed: 'Stopped',
  interrupted: 'Interrupted',
}

/** Why a call is executed and not replayed; reads well after "live: ". */
export const WHY_LIVE_WORDS: Readonly<Record<WhyLive, string>> = {
  'no-saved-result': 'no saved result',
  'new-call': 'new call',
  'prompt-changed': 'prompt changed',
  'options-changed': 'options changed',
  'died-last-time': 'died last time',
  'was-running': 'was running when the run was cut off',
  'you-chose': 'you chose to run it again',
  'earlier-call-changed': 'an earlier call changed',
  'result-unreadable': 'its saved result is unreadable',
  'was-simulated': 'its saved result was simulated',
}

export const DEAD_REASON_WORDS: Readonly<Record<DeadReason, string>> = {
  'agent-error': 'the agent failed',
  'schema-mismatch': 'its answer did not fit the schema',
  timeout: 'it ran out of time',
  stalled: 'it gave no sign of life',
  'worktree-failed': 'its worktree could not be made',
  refused: 'it was refused',
  'rate-limited': 'the provider limits its requests',
  'unknown-agent': 'no agent of that name',
  'unknown-model': 'no model of that name',
  unserialisable: 'its answer is not JSON',
}

export const PAUSE_REASON_WORDS: Readonly<Record<PauseReason, string>> = {
  quota: 'usage limit reached',
  auth: 'the agent is not signed in',
  'same-failure': 'five calls in a row died of the same cause',
  budget: 'the token budget is used up',
  money: 'the spending limit is reached',
  user: 'paused by you',
}

export const WAIT_REASON_WORDS: Readonly<Record<WaitReason, string>> = {
  gate: 'for your decision',
  wait: 'for something outside',
  sleep: 'until its time comes',
  'in-flight': 'for your word on calls that were running',
}

/** The word of a reason that may come from a newer version: then the code itself. */
export function wordOf(words: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(words, code) ? (words[code] ?? code) : code
}
