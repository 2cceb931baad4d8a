/** What a gate asks and shows, read from the call's detail. */
import type { CallDetail } from '../../../shared/contract/runs.ts'
import type { Json } from '../../../shared/json.ts'

export interface GateDetail {
  question: string | null
  shown: GateText | null
}

export interface GateText {
  /** Null for a text that the script itself gave. */
  path: string | null
  text: string
  /** What a choice is bound to; null for the script's own text, which can't change. */
  sha256: string | null
  /** The text at the gate's opening, when the file is another one now. */
  before: string | null
}

export function gateDetail(detail: CallDetail): GateDetail {
  const question = member(detail.params, 'question')
  return { question: typeof question === 'string' ? question : null, shown: gateText(detail) }
}

function gateText({ params, shown, shownNow }: CallDetail): GateText | null {
  if (shown !== undefined) {
    const now = shownNow ?? shown
    return { path: shown.path, text: now.text, sha256: now.sha256, before: shownNow === undefined ? null : shown.text }
  }
  const show = member(params, 'show')
  return typeof show === 'string' ? { path: null, text: show, sha256: null, before: null } : null
}

function member(params: Json, name: string): Json | undefined {
  return typeof params === 'object' && params !== null && !Array.isArray(params) ? params[name] : undefined
}
