/**
 * A dry run: the whole engine with simulated agents and a run that lives in memory only. Nobody is asked and nothing is
 * waited for: gates take their first choice, sleeps end at once.
 */

import type { RunEvent } from '../../shared/run/events.ts'
import type { JournalRecord } from '../../shared/run/record.ts'
import { sha256 } from '../engine/fingerprint.ts'
import type { OpenRun, RunInfo } from '../engine/ports.ts'

/** A script that polls for what no dry run brings about is stopped after so many sleeps. */
const MOST_SLEEPS = 100

export function rehearsalRun(info: RunInfo): OpenRun {
  const records: JournalRecord[] = []
  return {
    runId: info.runId,
    attempt: 1,
    token: '',
    info,
    history: async () => ({ records: [], badLines: [] }),
    append: async (given) => {
      const written = given.map((record, index) => ({ ...record, n: records.length + index + 1, at: Date.now() }))
      records.push(...written)
      return written
    },
    put: async (value) => ({ inline: value }),
    get: async (value) => ('inline' in value ? value.inline : null),
    keepSource: async (text, ext) => ({ sha256: sha256(text), file: `${sha256(text).slice(0, 16)}.${ext}` }),
    publish: () => undefined,
    transcript: () => undefined,
    child: () => undefined,
    release: async () => undefined,
  }
}

/** The part of an attempt that a person would play. */
interface Played {
  decide(call: number, choice: { choice: string; by: string }): Promise<unknown>
  answer(question: string, answer: 'allow-once', by: string): boolean
  skip(call: number): boolean
  stop(how: 'keep'): void
}

/** Answers for the person, as the events come. */
export function playPerson(attempt: () => Played): (events: readonly RunEvent[]) => void {
  let sleeps = 0
  return (events) => {
    for (const event of events) {
      if (event.type === 'gate.opened') void attempt().decide(event.callId, { choice: event.options[0] ?? '', by: 'dry run' })
      if (event.type === 'permission.asked') attempt().answer(event.question, 'allow-once', 'dry run')
      if (event.type === 'call.started' && event.worker === 'clock') {
        sleeps += 1
        if (sleeps > MOST_SLEEPS) attempt().stop('keep')
        else attempt().skip(event.callId)
      }
    }
  }
}
