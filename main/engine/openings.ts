/**
 * Opens the workflows that a script calls. A live opening is journaled, with the hash of its text, before the script gets
 * it; a recorded one is delivered at its recorded place, with the text as it is now. No slot is taken for either.
 */
import { AppError } from '../../shared/errors.ts'
import type { Json } from '../../shared/json.ts'
import type { NewRecord } from '../../shared/run/record.ts'
import { requestOf } from './call-task.ts'
import type { SavedCall } from './history.ts'
import type { Settled } from './live-call.ts'
import type { ChildReference, ChildText, LoadChild, OpenRun } from './ports.ts'
import type { AskedCall, OpenedChild, ToScript } from './sandbox/protocol.ts'

const NOTHING_SPENT = { usage: { inputTokens: 0, outputTokens: 0 }, cost: null, ms: 0, tries: 1, backend: null }

type OpeningResult = Extract<Settled, { kind: 'result' }>

export interface OpeningsOptions {
  run: OpenRun
  load: LoadChild
  /** Keeps a text that is going to run. */
  keep(text: ChildText): Promise<{ sha256: string; file: string }>
  now(): number
  /** @param then called in the order of the journal */
  save(records: NewRecord[], then?: (written: { at: number }[]) => void): Promise<unknown>
  /** Saved: it may be shown. */
  onSaved(call: number, settled: OpeningResult): void
  /** What was on its way to the journal has arrived there. */
  onIdle(): void
  tell(message: Extract<ToScript, { t: 'result' }>): void
}

export class Openings {
  readonly #options: OpeningsOptions
  /** Live openings whose text is being read. */
  readonly #loading = new Map<number, AskedCall>()
  /** Recorded openings whose text can't run now, with the reason. */
  readonly #refused = new Map<number, string>()
  #saving = 0
  /** A workflow that was opened again is not what it was before. */
  hasChanged = false

  constructor(options: OpeningsOptions) {
    this.#options = options
  }

  /** No child is being opened. */
  get isDone(): boolean {
    return this.#loading.size === 0 && this.#saving === 0
  }

  /** Nothing of it is on its way to the journal. */
  get isIdle(): boolean {
    return this.#saving === 0
  }

  /** Opens a child live. */
  async open(asked: AskedCall): Promise<void> {
    const { run, now, keep, save, onSaved, onIdle, tell } = this.#options
    const { call } = asked
    this.#loading.set(call, asked)
    const text = await this.#load(asked.request, null)
    if (!this.#loading.delete(call)) return
    this.#saving += 1
    const result: OpeningResult['result'] =
      'refused' in text ? { kind: 'dead', reason: 'refused', detail: text.refused.message } : { kind: 'ok', output: await keep(text) }
    await save([resultRecord(call, run.attempt, result)], ([record]) => {
      this.#saving -= 1
      onSaved(call, { kind: 'result', result, ...NOTHING_SPENT })
      tell({ t: 'result', call, output: toScript(text), outputTokens: 0, at: record?.at ?? now() })
    })
    onIdle()
  }

  /**
   * The text for a recorded opening that is delivered now. One that changed is kept and named by a further result record;
   * the opening keeps its place in the order of deliveries all the same.
   */
  async replay({ call, params, saved }: SavedCall): Promise<Json> {
    const { run, keep, save, onIdle } = this.#options
    const kept = keptText(saved?.result.kind === 'ok' && 'inline' in saved.result.output ? saved.result.output.inline : null)
    const text = await this.#load(params, kept)
    if ('refused' in text || text.sha256 !== kept?.sha256) this.hasChanged = true
    if ('refused' in text) {
      this.#refused.set(call, text.refused.message)
    } else if (text.sha256 !== kept?.sha256) {
      this.#saving += 1
      await save([resultRecord(call, run.attempt, { kind: 'ok', output: await keep(text) })])
      this.#saving -= 1
      onIdle()
    }
    return toScript(text)
  }

  /** Why a recorded opening could not be repeated in this attempt; undefined when it could. */
  refusal(call: number): string | undefined {
    return this.#refused.get(call)
  }

  /** Gives up what is being read, and tells what that was. */
  abandon(): AskedCall[] {
    const left = [...this.#loading.values()]
    this.#loading.clear()
    return left
  }

  async #load(
    request: Json,
    kept: { sha256: string; ext: string } | null,
  ): Promise<ChildText | Extract<OpenedChild, { refused: unknown }>> {
    const reference = referenceOf(request)
    try {
      return await this.#options.load(reference, kept)
    } catch (thrown) {
      return { refused: AppError.wrap(thrown).toData() }
    }
  }
}

function resultRecord(call: number, attempt: number, result: OpeningResult['result']): NewRecord {
  const saved = result.kind === 'ok' ? { kind: result.kind, output: { inline: result.output } } : result
  return { t: 'result', call, attempt, result: saved, ...NOTHING_SPENT }
}

function toScript(text: ChildText | Extract<OpenedChild, { refused: unknown }>): Json {
  const opened: OpenedChild = 'refused' in text ? text : { script: text.prepared }
  return opened as unknown as Json // plain data through and through
}

/** The workflow that an `open-child` call names. */
export function referenceOf(request: Json): ChildReference {
  const { name, scriptPath } = requestOf(request)
  return typeof scriptPath === 'string' ? { scriptPath } : { name: String(name) }
}

/** What an opening recorded of its text; null when it is no such record. */
export function keptText(output: Json | null): { sha256: string; ext: string } | null {
  const { sha256, file } = requestOf(output)
  if (typeof sha256 !== 'string' || typeof file !== 'string') return null
  return { sha256, ext: file.slice(file.lastIndexOf('.') + 1) }
}
