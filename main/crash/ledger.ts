/**
 * What was promised for one run, held against what came of it: every result that the script was given has to be in the
 * journal after the kill and must not be asked for again. Calls are known by their prompts, which are all different.
 */
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isMissing } from '../store/disk.ts'
import { filesOf } from '../store/paths.ts'
import { markUnreadable } from '../store/payload.ts'
import { readJournal } from '../store/read-journal.ts'
import type { FromEngine } from './engine-messages.ts'

export interface Account {
  /** Prompts whose result was given to the script and is not in the journal. */
  lost: string[]
  /** Prompts whose result was in the journal and which were started again all the same. */
  paidTwice: string[]
  /** Prompts that were at work when the process was killed and were started again. */
  rerun: string[]
  /** Most of those that one and the same kill had cut off: damage can send a lane back, and then calls of several kills come again. */
  rerunOfOneKill: number
  /** Prompts that were started again since their saved result had been harmed, and that was reported. */
  redone: string[]
}

export class Ledger {
  readonly #journal: () => string | null
  readonly #log: string
  readonly #delivered = new Set<string>()
  /** Prompt → the process that started it last. */
  readonly #started = new Map<string, number>()
  #processes = 0
  readonly #harmed = new Set<string>()
  #saved = new Set<string>()
  #logBytes = 0

  /** @param journal its path, null until the run is made; `log` is the file of real starts */
  constructor(journal: () => string | null, log: string) {
    this.#journal = journal
    this.#log = log
  }

  /** Whether anything of the run is saved. */
  get savedCount(): number {
    return this.#saved.size
  }

  /** Takes in what one process did, once it is gone. */
  close(said: readonly FromEngine[]): Account {
    const account: Account = { lost: [], paidTwice: [], rerun: [], rerunOfOneKill: 0, redone: [] }
    const cutOff = new Map<number, number>()
    this.#processes += 1
    const asked = new Map<number, string>()
    for (const { call, prompt } of this.#newStarts()) {
      asked.set(call, prompt)
      if (this.#saved.has(prompt)) account.paidTwice.push(prompt)
      else if (this.#harmed.delete(prompt)) account.redone.push(prompt)
      else {
        const earlier = this.#started.get(prompt)
        if (earlier !== undefined) {
          account.rerun.push(prompt)
          cutOff.set(earlier, (cutOff.get(earlier) ?? 0) + 1)
        }
      }
      this.#started.set(prompt, this.#processes)
    }
    for (const message of said) {
      const prompt = message.t === 'delivered' ? asked.get(message.call) : undefined
      if (prompt !== undefined) this.#delivered.add(prompt)
    }
    account.rerunOfOneKill = Math.max(0, ...cutOff.values())
    this.#saved = this.#savedNow()
    for (const prompt of this.#delivered) {
      if (this.#saved.has(prompt)) continue
      account.lost.push(prompt)
      this.#delivered.delete(prompt)
    }
    return account
  }

  /** After the journal or a stored value was harmed on purpose: what is no longer readable is no longer promised. @returns how many results that are */
  harmed(): number {
    const left = this.#savedNow()
    const gone = [...this.#saved].filter((prompt) => !left.has(prompt))
    for (const prompt of gone) {
      this.#harmed.add(prompt)
      this.#delivered.delete(prompt)
    }
    this.#saved = left
    return gone.length
  }

  #newStarts(): { call: number; prompt: string }[] {
    const text = readWhole(this.#log).subarray(this.#logBytes)
    const end = text.lastIndexOf('\n') + 1
    this.#logBytes += end
    const lines = text.toString('utf8', 0, end).split('\n').slice(0, -1)
    return lines.map((line): { call: number; prompt: string } => JSON.parse(line))
  }

  #savedNow(): Set<string> {
    const path = this.#journal()
    if (path === null) return new Set()
    const prompts = new Map<number, string>()
    const saved = new Set<string>()
    for (const record of markUnreadable(filesOf(dirname(path)), readJournal(path).records)) {
      if (record.t === 'call') prompts.set(record.call, promptOf(record.params))
      const isReadable = record.t === 'result' && record.result.kind === 'ok' && !('unreadable' in record.result.output)
      const prompt = isReadable ? prompts.get(record.call) : undefined
      if (prompt !== undefined) saved.add(prompt)
    }
    return saved
  }
}

function promptOf(params: unknown): string {
  const prompt = typeof params === 'object' && params !== null && 'prompt' in params ? params.prompt : null
  return typeof prompt === 'string' ? prompt : ''
}

function readWhole(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if (isMissing(error)) return Buffer.alloc(0)
    throw error
  }
}
