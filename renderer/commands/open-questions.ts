/** Permissions that agents of a run ask for. */
import type { CallView, OpenQuestion, RunView } from '../../shared/run/view.ts'

export interface Asked {
  call: CallView
  question: OpenQuestion
}

/** Open questions of all calls, oldest first. */
export function openQuestions(view: RunView): Asked[] {
  const asked = view.calls.flatMap((call) => (call.questions ?? []).map((question) => ({ call, question })))
  return asked.sort((a, b) => a.question.at - b.question.at)
}
