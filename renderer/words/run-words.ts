/** Sentences about a run: what the banner says, what a row adds to the state word. What is safe comes first. */
import { assertNever } from '../../shared/assert-never.ts'
import type { Counts } from '../../shared/run/record.ts'
import { dueAt } from '../../shared/run/status.ts'
import type { RunSummary, RunView } from '../../shared/run/view.ts'
import { PAUSE_REASON_WORDS, wordOf } from '../../shared/words.ts'
import { counted, when } from './quantity.ts'

/** Results that a resume can replay. */
export function saved(counts: Counts): number {
  return counts.ok + counts.skipped
}

function savedSentence(counts: Counts): string {
  const n = saved(counts)
  if (n === 0) return 'No result was saved yet.'
  return n === 1 ? '1 result is saved.' : `${n} results are saved.`
}

/** Of a paused run: what it waits for. */
export function pauseReason(reason: string | null): string {
  return reason === null ? 'a limit was reached' : wordOf(PAUSE_REASON_WORDS, reason)
}

export interface Banner {
  title: string
  text: string | null
}

/** What the run page says on top of an ended or standing run; null while it runs or completed well. */
export function banner(view: RunView, now: number): Banner | null {
  const cutOff = view.calls.filter((call) => call.endedAt === null && call.startedAt !== null).length
  switch (view.status) {
    case 'queued':
    case 'running':
      return null
    case 'waiting': {
      const due = view.reason === 'sleep' || view.reason === 'wait' ? dueAt(view.calls) : null
      if (due === null) return { title: 'The run waits for you.', text: savedSentence(view.counts) }
      const goesOn = view.endedAt === null ? 'It goes on by itself.' : 'Resume it then.'
      return { title: `The run waits until ${when(due, now)}.`, text: `${goesOn} ${savedSentence(view.counts)}` }
    }
    case 'completed':
      return view.counts.dead === 0
        ? null
        : {
            title: `Completed, and ${counted(view.counts.dead, 'call')} ended without a result.`,
            text: 'The script got null for each and decided by itself how to go on.',
          }
    case 'failed': {
      const place = view.error?.line === undefined ? '' : ` (line ${view.error.line})`
      return { title: `Failed${place}. ${savedSentence(view.counts)}`, text: view.error?.message ?? null }
    }
    case 'paused': {
      const until = view.resetAt === null ? '' : ` It resets at ${when(Date.parse(view.resetAt), now)}.`
      return { title: `Paused: ${pauseReason(view.reason)}. ${savedSentence(view.counts)}`, text: `It goes on when you resume.${until}` }
    }
    case 'killed':
      return { title: `Stopped. ${savedSentence(view.counts)}`, text: 'Resume goes on from here at any time.' }
    case 'interrupted': {
      const again =
        cutOff === 0
          ? ''
          : ` ${cutOff === 1 ? '1 call was' : `${cutOff} calls were`} under way and ${cutOff === 1 ? 'starts' : 'start'} again.`
      return {
        title: `Cut off: the process that ran it ended. ${savedSentence(view.counts)}`,
        text: `Resume replays what is saved without new tokens.${again}`,
      }
    }
    default:
      return assertNever(view.status)
  }
}

/** The parts of a row's sentence after the state word. */
export function rowParts(run: RunSummary): { text: string; failed: boolean }[] {
  if (run.damaged !== null) return [{ text: run.damaged, failed: true }]
  const { ok, dead, skipped, abandoned } = run.counts
  const deaths = run.status === 'completed' && dead > 0 ? `${dead} of ${ok + dead + skipped + abandoned} failed` : ''
  const parts = [
    { text: deaths, failed: true },
    { text: run.sentence === deaths ? '' : run.sentence, failed: false },
  ]
  return parts.filter((part) => part.text !== '')
}

/** What is at stake, for the second line of a run that needs somebody. */
export function stake(run: RunSummary): string {
  const n = saved(run.counts)
  if (run.status === 'waiting') return n === 0 ? 'Nothing is saved yet.' : `${counted(n, 'result')} saved so far.`
  if (n === 0) return 'Nothing was saved yet. Resume starts from the top.'
  return `${counted(n, 'result')} saved. Resume replays ${n === 1 ? 'it' : 'them'} for 0 tokens and goes on from there.`
}
