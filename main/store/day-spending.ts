/**
 * What all runs of this person cost, by day: `spending/<day>.jsonl` in the app's data folder, one line a call. Several processes
 * append to it, none rewrites it. A line that can't be read costs nothing.
 */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

const Line = z.object({ profile: z.string(), cost: z.number().nonnegative() })

/** US dollars of one day, and how many calls they were. */
export interface Spent {
  cost: number
  calls: number
}

export class DaySpending {
  readonly #folder: string

  /** @param data the app's data folder */
  constructor(data: string) {
    this.#folder = join(data, 'spending')
  }

  /** @param cost US dollars; @param at milliseconds since 1970: the day is that of the person's clock */
  add(profile: string, cost: number, at: number): void {
    try {
      mkdirSync(this.#folder, { recursive: true })
      appendFileSync(this.#file(at), `${JSON.stringify({ at, profile, cost })}\n`)
    } catch {
      // The run has its own account of what it cost.
    }
  }

  /** Of the day of `at`, by profile. */
  of(at: number): Map<string, Spent> {
    const spent = new Map<string, Spent>()
    for (const line of this.#lines(at)) {
      const read = parsed(line)
      if (read === null) continue
      const before = spent.get(read.profile) ?? { cost: 0, calls: 0 }
      spent.set(read.profile, { cost: before.cost + read.cost, calls: before.calls + 1 })
    }
    return spent
  }

  #lines(at: number): string[] {
    try {
      return readFileSync(this.#file(at), 'utf8').split('\n')
    } catch {
      return []
    }
  }

  #file(at: number): string {
    const day = new Date(at)
    const two = (part: number): string => String(part).padStart(2, '0')
    return join(this.#folder, `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}.jsonl`)
  }
}

function parsed(line: string): z.infer<typeof Line> | null {
  try {
    return line === '' ? null : Line.parse(JSON.parse(line))
  } catch {
    return null
  }
}
