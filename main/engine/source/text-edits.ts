/**
 * Edits of a text that keep every line where it is, and the list of offsets they shift. Promises that a place in the
 * edited text can be traced back to the text as it was.
 */

/** Replaces `[start, end)` by `text`. Neither the replaced nor the new text holds a line break. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** At offset `at` of the edited text stand `added` characters more than before (negative: fewer). */
export interface Shift {
  at: number
  added: number
}

export interface EditedText {
  text: string
  shifts: Shift[]
}

/**
 * Applies edits that do not overlap; edits at one offset keep the order given. `earlier` are the shifts that led to `text`;
 * they come back joined with the new ones, so that `shifts` always leads to the first text; what they put in may be added to,
 * not taken out again.
 */
export function applyEdits(text: string, edits: readonly Edit[], earlier: readonly Shift[] = []): EditedText {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end)
  const shifts: Shift[] = []
  const pieces: string[] = []
  let read = 0
  let moved = 0
  let next = 0
  const carry = (until: number) => {
    for (let shift = earlier[next]; shift !== undefined && shift.at < until; shift = earlier[++next]) {
      shifts.push({ at: shift.at + moved, added: shift.added })
    }
  }
  for (const edit of sorted) {
    carry(edit.start)
    pieces.push(text.slice(read, edit.start), edit.text)
    const replaced = edit.end - edit.start
    const added = edit.text.length - replaced
    if (added !== 0) shifts.push({ at: edit.start + moved + Math.min(replaced, edit.text.length), added })
    moved += added
    read = edit.end
  }
  carry(Number.POSITIVE_INFINITY)
  pieces.push(text.slice(read))
  return { text: pieces.join(''), shifts }
}
