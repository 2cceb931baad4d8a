/**
 * Names what an unchanged script asks for differently than it did before: something in it goes by time, chance or another
 * thing that no journal holds. Such a call runs live; the person is told, with both texts.
 */
import type { Json } from '../../shared/json.ts'
import type { History, SavedCall } from './history.ts'
import type { AskedCall } from './sandbox/protocol.ts'
import { titleOf } from './summary.ts'

/** More of them tell nobody anything new. */
const NAMED = 5
const EXCERPT = 120

export class UnexpectedCalls {
  /** Recorded calls that were not asked for yet, by number. */
  readonly #left: Map<number, SavedCall>
  #count = 0

  constructor(history: Pick<History, 'calls'>) {
    this.#left = new Map(history.calls.map((call) => [call.call, call]))
  }

  /** Takes each call in the order in which it was asked. Gives a line for the log when it is not what was recorded, else null. */
  warning(asked: AskedCall): string | null {
    this.#left.delete(asked.call)
    if (!asked.isUnexpected) return null
    this.#count += 1
    if (this.#count > NAMED + 1) return null
    if (this.#count > NAMED) return 'Further calls differ from what was recorded. They run as well.'
    const before = this.#stoodFor(asked)
    if (before !== null) this.#left.delete(before.call)
    return sentence(asked, before)
  }

  /** The first recorded call of the same kind, label and phase that nobody asked for. */
  #stoodFor({ kind, label, phase }: AskedCall): SavedCall | null {
    for (const call of this.#left.values())
      if (call.kind === kind && call.label === label && call.phase === phase && call.saved !== null) return call
    return null
  }
}

function sentence(asked: AskedCall, before: SavedCall | null): string {
  const { kind, call, label, line, request } = asked
  const place = line === null ? '' : `line ${line}: `
  const name = label ?? titleOf(kind, request)
  const recorded =
    before === null ? 'Nothing like it was recorded here.' : `Call ${before.call} was recorded as ${textOf(before.kind, before.params)}.`
  return `${place}the script is unchanged, but call ${call} “${name}” is not what it asked for before. ${recorded} Now it asks ${textOf(kind, request)}. It runs live; take what varies from args, now(), random() or uuid().`
}

/** What is asked: the prompt alone where that is all that tells. */
function textOf(kind: SavedCall['kind'], request: Json): string {
  const asked = typeof request === 'object' && request !== null && !Array.isArray(request) ? request : {}
  const { prompt, ...options } = asked
  const rest = Object.keys(options).filter((key) => key !== 'label' && key !== 'phase')
  const text = kind === 'agent' && typeof prompt === 'string' && rest.length === 0 ? prompt : JSON.stringify(request)
  return `“${cut(text.replace(/\s+/g, ' '))}”`
}

function cut(text: string): string {
  return text.length <= EXCERPT ? text : `${text.slice(0, EXCERPT - 1)}…`
}
