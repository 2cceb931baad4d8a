/** Preflight: reads a script without running any of it. */
import type { ErrorCode } from '../../../shared/errors.ts'
import type { Json } from '../../../shared/json.ts'
import type { PhaseMeta } from '../../../shared/run/events.ts'
import type { Finding } from './finding.ts'
import { loadTypeScript } from './lazy-typescript.ts'
import { readMeta } from './meta.ts'
import { inWords, parseScript } from './parse.ts'
import { PositionTable } from './positions.ts'
import { warnAhead } from './preflight.ts'
import { prepareScript } from './prepare.ts'
import { refuseOutside } from './refuse.ts'
import { resolveScopes } from './scopes.ts'
import type { EditedText, Shift } from './text-edits.ts'
import { collectUses, NO_USES } from './uses.ts'

export interface ScriptMeta {
  name?: string
  description?: string
  whenToUse?: string
  phases: PhaseMeta[]
  /** Keys that this version does not know, kept. */
  more: { [key: string]: Json }
}

/** A finding with its place; `line` and `column` count from 1 and are those of the file as written. */
export interface Diagnostic {
  severity: 'error' | 'warning'
  code: ErrorCode | 'clock-or-chance' | 'promise-not-thunk' | 'undeclared' | 'builtin-assignment' | 'phase-undeclared' | 'unknown-option'
  message: string
  line: number
  column: number
}

/** What a script can reach for, from its syntax tree: hooks called, and the literal values given to them. */
export interface ScriptUses {
  hooks: string[]
  agentTypes: { name: string; line: number; column: number }[]
  models: { name: string; line: number; column: number }[]
  /** Some `agent()` call names no agent type, or computes its options. */
  defaultAgent: boolean
  worktrees: boolean
  checks: boolean
  /** Workflows called by a literal name, or by a literal path. */
  children: { name: string; isPath: boolean; line: number; column: number }[]
}

/**
 * A script made ready for the compartment. `code` is one expression in strict mode: an async function without parameters
 * that is the body, to be called without `this`. Its lines are those of the file. Whoever evaluates it appends
 * `\n//# sourceURL=` and the encoded file name (no white space) and passes `__rejectSomeDirectEvalExpressions__: false`.
 */
export interface PreparedScript {
  code: string
  /** Where `code` has characters more (or fewer) than the file, by offset of `code`; for `originalPosition`. */
  edits: Shift[]
  file: string
}

export interface CheckedScript {
  meta: ScriptMeta | null
  diagnostics: Diagnostic[]
  uses: ScriptUses
  /** Null when a diagnostic is an error. */
  prepared: PreparedScript | null
}

/**
 * Everything that can be known of a script without running it. Never throws for what a file holds: each fault is a diagnostic
 * with its place. `filename` decides the language (`.ts`, `.mts`: TypeScript, whose compiler is loaded only then).
 */
export async function checkScript(source: string, filename: string): Promise<CheckedScript> {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source
  const findings: Finding[] = []
  try {
    return await check(text, filename, findings)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    findings.push(unreadable(text, 'it is nested too deeply', 0))
    return refused(text, findings)
  }
}

async function check(text: string, filename: string, findings: Finding[]): Promise<CheckedScript> {
  const alien = /[\0\uFFFD]/.exec(text)
  if (alien !== null) {
    findings.push({ severity: 'error', code: 'not-a-script', offset: alien.index, message: alienText(alien[0]) })
    return refused(text, findings)
  }
  // The line tells a shell what to run; the same length keeps all offsets.
  const runnable = text.startsWith('#!') ? `//${text.slice(2)}` : text
  const isTypeScript = /\.m?ts$/i.test(filename)
  const erased = isTypeScript ? await erase(runnable, findings) : { text: runnable, shifts: [] }
  if (erased === null) return refused(text, findings)

  const positions = new PositionTable(erased.text, erased.shifts)
  const own: Finding[] = []
  const report = (finding: Finding) => own.push(finding)
  const diagnostics = () => placed(own, positions)
  const parsed = parseScript(erased.text)
  if ('problem' in parsed) {
    report(unreadable(erased.text, parsed.problem, parsed.offset))
    return { meta: null, diagnostics: diagnostics(), uses: NO_USES, prepared: null }
  }
  const script = resolveScopes(parsed)
  const meta = readMeta(script, report)
  refuseOutside(script, isTypeScript, report)
  warnAhead(script, meta, report)
  const prepared = own.some(({ severity }) => severity === 'error') ? null : prepareScript(script, filename, erased.shifts)
  const complaint = prepared === null ? null : complaintOf(prepared)
  if (complaint !== null) {
    report({ severity: 'error', code: 'script-syntax', offset: 0, message: `This file can't be read: ${complaint}. Nothing was started.` })
    return { meta, diagnostics: diagnostics(), uses: NO_USES, prepared: null }
  }
  return { meta, diagnostics: diagnostics(), uses: collectUses(script, positions), prepared }
}

/** The runtime's word on code that is only compiled here: it knows another Unicode than the parser, for one. */
function complaintOf({ code }: PreparedScript): string | null {
  try {
    new Function(`return ${code}`)
    return null
  } catch (error) {
    if (error instanceof SyntaxError) return inWords(error.message)
    throw error
  }
}

async function erase(text: string, findings: Finding[]): Promise<EditedText | null> {
  const { eraseTypes } = await loadTypeScript()
  return eraseTypes(
    text,
    (finding) => findings.push(finding),
    (problem, offset) => findings.push(unreadable(text, problem, offset)),
  )
}

function refused(text: string, findings: readonly Finding[]): CheckedScript {
  return { meta: null, diagnostics: placed(findings, new PositionTable(text)), uses: NO_USES, prepared: null }
}

function placed(findings: readonly Finding[], positions: PositionTable): Diagnostic[] {
  return findings
    .map(({ offset, ...finding }) => ({ ...finding, ...positions.at(offset) }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
}

function unreadable(text: string, problem: string, offset: number): Finding {
  const { line } = new PositionTable(text).at(offset)
  return { severity: 'error', code: 'script-syntax', offset, message: `Line ${line} can't be read: ${problem}. Nothing was started.` }
}

function alienText(found: string): string {
  if (found === '\0') return 'This file holds binary data, so it is no script. Choose a .js, .mjs or .ts file.'
  return 'This file is not UTF-8 text (or holds the character U+FFFD). Save it as UTF-8; in a string write `\\uFFFD`.'
}
