/** `<call>` as people write it: its number, or its label when only one call has it. */
import { AppError } from '../../shared/errors.ts'
import type { RunView } from '../../shared/run/view.ts'
import { oneLine } from './text/printable.ts'

/** @throws AppError `call-unknown` */
export function callNumber(view: RunView, reference: string): number {
  if (/^#?\d+$/.test(reference)) {
    const number = Number(reference.replace('#', ''))
    if (view.calls.some((call) => call.callId === number)) return number
    throw new AppError('call-unknown', `Run #${view.number} has no call ${number}. See its calls: reprise show ${view.runId}`)
  }
  const labelled = view.calls.filter((call) => call.label === reference)
  const [first] = labelled
  if (first !== undefined && labelled.length === 1) return first.callId
  if (first === undefined) {
    throw new AppError('call-unknown', `Run #${view.number} has no call “${oneLine(reference)}”. See its calls: reprise show ${view.runId}`)
  }
  const numbers = labelled.map((call) => call.callId).join(', ')
  throw new AppError('call-unknown', `${labelled.length} calls are named “${oneLine(reference)}”: ${numbers}. Give the number of one.`)
}
