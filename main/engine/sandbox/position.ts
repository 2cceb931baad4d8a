/** Where in which text of the run a hook was called: V8 stack frames, mapped back to the files as written. */
import type { PreparedScript } from '../source/check-script.ts'
import { originalPosition } from '../source/positions.ts'

/**
 * The name under which the frames of the run's own script stand in V8 stacks (`sourceURL`), and the beginning of a child's;
 * a file's own name could hold spaces, which V8 refuses there.
 */
export const SOURCE_URL = 'reprise-script'

const FRAME = /reprise-script(?:-(\d+))?:(\d+):(\d+)/

/** Line and column count from 1; `child` is the file's name when it is not the run's own script. */
export interface Place {
  line: number
  column: number
  child: string | null
}

/** The texts that run: the script, and each child by the number of the call that opened it. */
export class RunningTexts {
  readonly #main: PreparedScript
  readonly #children = new Map<number, PreparedScript>()

  constructor(main: PreparedScript) {
    this.#main = main
  }

  /** Gives the name for the child's frames. The number of its call is the same in every attempt, so stacks are too. */
  add(call: number, child: PreparedScript): string {
    this.#children.set(call, child)
    return `${SOURCE_URL}-${call}`
  }

  /** The first frame of a stack that lies in one of the texts; null when there is none. */
  place(stack: string | undefined): Place | null {
    const match = stack === undefined ? null : FRAME.exec(stack)
    return match === null ? null : this.#place(match[1], match[2], match[3])
  }

  /** A stack for people: the files' own names, lines and columns. */
  readable(stack: string): string {
    return stack.replace(new RegExp(FRAME, 'g'), (_, call?: string, line?: string, column?: string) => {
      const at = this.#place(call, line, column)
      return `${at.child ?? this.#main.file}:${at.line}:${at.column}`
    })
  }

  #place(call: string | undefined, line: string | undefined, column: string | undefined): Place {
    const child = call === undefined ? undefined : this.#children.get(Number(call))
    return { ...originalPosition(child ?? this.#main, Number(line), Number(column)), child: child?.file ?? null }
  }
}

/** ` (lint.js:3:5)` for a place in a child, nothing for one in the run's own script, whose line is told apart. */
export function inChild(place: Place | null): string {
  return place === null || place.child === null ? '' : ` (${place.child}:${place.line}:${place.column})`
}
