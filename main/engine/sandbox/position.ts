/** Where in the script a hook was called: V8 stack frames, mapped back to the file as written. */
import type { PreparedScript } from '../source/check-script.ts'
import { originalPosition } from '../source/positions.ts'

/**
 * The name under which the script's frames stand in V8 stacks (`sourceURL`); the file's own name could hold spaces, which
 * V8 refuses there.
 */
export const SOURCE_URL = 'reprise-script'

/** Line and column (from 1) of the first frame of a stack that lies in the script; null when there is none. */
export function placeOf(stack: string | undefined, script: PreparedScript): { line: number; column: number } | null {
  const match = stack === undefined ? null : /reprise-script:(\d+):(\d+)/.exec(stack)
  return match === null ? null : originalPosition(script, Number(match[1]), Number(match[2]))
}

/** A stack for people: the file's own name, lines and columns. */
export function readableStack(stack: string, script: PreparedScript): string {
  return stack.replace(/reprise-script:(\d+):(\d+)/g, (_, line: string, column: string) => {
    const at = originalPosition(script, Number(line), Number(column))
    return `${script.file}:${at.line}:${at.column}`
  })
}
