/** What a check of the script found, with its place as an offset of the text that was read. */
import type { Diagnostic } from './check-script.ts'

export interface Finding extends Omit<Diagnostic, 'line' | 'column'> {
  offset: number
}

export type Report = (finding: Finding) => void
