/** A person who decides each gate of a program when the executor says that it is the gate's turn. */
import type { Attempt } from '../../../main/engine/attempt.ts'
import type { Json } from '../../../shared/json.ts'
import type { RunEvent } from '../../../shared/run/events.ts'
import type { QueueExecutor } from './chance-executor.ts'
import type { MemoryJournal } from './memory-run.ts'

/** What `startAttempt` needs as its `onEvent`. */
export function decidesGates(executor: QueueExecutor, journal: MemoryJournal): (event: RunEvent, attempt: Attempt) => void {
  return (event, attempt) => {
    if (event.type !== 'gate.opened') return
    const asked = journal.records.find((record) => record.t === 'call' && record.call === event.callId)
    if (asked?.t === 'call')
      void executor.turnOf(asked.fp).then((choice) => attempt.decide(event.callId, { choice: choiceOf(choice), by: 'test' }))
  }
}

/** What was recorded, or one of three by chance. */
function choiceOf(answer: Json): string {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return String(answer['choice'])
  return ['a', 'b', 'c'][String(answer).charCodeAt(String(answer).length - 1) % 3] ?? 'a'
}
