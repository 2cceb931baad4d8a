/**
 * States as people meet them: one table of tone, glyph and fill, and the one place that maps runs, calls and phases to it.
 * Colours belong to the tone alone (`renderer/styles/tokens.css`); every state also has its own mark and its own word.
 */
import { assertNever } from '../assert-never.ts'
import type { Counts } from './record.ts'
import type { CallView, PhaseView, RunStatus, RunView } from './view.ts'

export const TONES = [
  'queued',
  'running',
  'waiting',
  'paused',
  'completed',
  'partial',
  'replayed',
  'failed',
  'stopped',
  'interrupted',
  'skipped',
  'next',
] as const
export type Tone = (typeof TONES)[number]

/** How the bar of a tone is drawn. */
export type Fill = 'dotted' | 'open' | 'outline' | 'solid' | 'hatch' | 'notch' | 'cut' | 'dash' | 'none'

/** `glyph` is the mark in plain text (terminal, clipboard); screens draw the same shape as a vector. `ink` names the colour token. */
export const STATUS: Record<Tone, { glyph: string; fill: Fill; ink: string }> = {
  queued: { glyph: '○', fill: 'dotted', ink: 'queued' },
  running: { glyph: '▶', fill: 'open', ink: 'running' },
  waiting: { glyph: '◆', fill: 'outline', ink: 'waiting' },
  paused: { glyph: '❚❚', fill: 'outline', ink: 'waiting' },
  completed: { glyph: '✓', fill: 'solid', ink: 'completed' },
  partial: { glyph: '✓', fill: 'solid', ink: 'completed' },
  replayed: { glyph: '↺', fill: 'hatch', ink: 'replayed' },
  failed: { glyph: '✕', fill: 'notch', ink: 'failed' },
  stopped: { glyph: '■', fill: 'cut', ink: 'stopped' },
  interrupted: { glyph: '⊘', fill: 'cut', ink: 'interrupted' },
  skipped: { glyph: '–', fill: 'dash', ink: 'skipped' },
  next: { glyph: '○', fill: 'none', ink: 'quiet' },
}

/** A state ready to show. */
export interface Shown {
  tone: Tone
  word: string
}

const WAITING_WORDS: Readonly<Record<string, string>> = { gate: 'Waiting', sleep: 'Sleeping' }
const NOT_YET: Shown = { tone: 'next', word: 'Not yet' }

/** True while the run's process works or could go on by itself. */
export function isLive(status: RunStatus): boolean {
  return status === 'queued' || status === 'running' || status === 'waiting'
}

/** True for runs that stand still until a person does something; a run that sleeps under its owner's eyes goes on by itself. */
export function needsYou({ status, reason, endedAt }: { status: RunStatus; reason: string | null; endedAt: number | null }): boolean {
  if (status === 'waiting') return endedAt !== null || !passesByItself(reason)
  return status === 'paused' || status === 'interrupted'
}

/** Of a waiting run: time alone ends the wait. */
function passesByItself(reason: string | null): boolean {
  return reason === 'sleep' || reason === 'wait'
}

/** True for a completed run whose failed calls a resume would ask again. One without its secrets can't even be exported: it never goes on. */
export function canTryAgain({ status, counts, allowedActions }: Pick<RunView, 'status' | 'counts' | 'allowedActions'>): boolean {
  return status === 'completed' && counts.dead > 0 && allowedActions.includes('export')
}

/** When a waiting run goes on by itself: the first of its calls that falls due; null without any. */
export function dueAt(calls: readonly CallView[]): number | null {
  const dues = calls.flatMap((call) => (call.status === 'waiting' && call.wakeAt !== undefined ? [call.wakeAt] : []))
  return dues.length === 0 ? null : Math.min(...dues)
}

/** Silence of an agent that tells what it does is worth showing from here on. */
const IDLE_MS = 2 * 60_000

/** For how long nothing was heard of a call at work, in milliseconds; null when that says nothing, or is not long yet. */
export function idleMs({ status, lastEventAt }: CallView, now: number): number | null {
  if (status !== 'running' || lastEventAt === undefined || now - lastEventAt < IDLE_MS) return null
  return now - lastEventAt
}

/** The state of a run; a completed run with dead calls has a mark of its own. */
export function runState(run: { status: RunStatus; reason?: string | null; counts: Counts }): Shown {
  switch (run.status) {
    case 'queued':
      return { tone: 'queued', word: 'Queued' }
    case 'running':
      return { tone: 'running', word: 'Running' }
    case 'waiting':
      return { tone: 'waiting', word: passesByItself(run.reason ?? null) ? 'Waiting' : 'Waiting for you' }
    case 'paused':
      return { tone: 'paused', word: 'Paused' }
    case 'completed':
      return { tone: run.counts.dead > 0 ? 'partial' : 'completed', word: 'Completed' }
    case 'failed':
      return { tone: 'failed', word: 'Failed' }
    case 'killed':
      return { tone: 'stopped', word: 'Stopped' }
    case 'interrupted':
      return { tone: 'interrupted', word: 'Interrupted' }
    default:
      return assertNever(run.status)
  }
}

/**
 * The state of a call. A call that has not ended is what its run says: when nobody works on the run any more, a queued
 * call has not happened and a running one was cut off.
 */
export function callState(call: CallView, run: RunStatus): Shown {
  const unended = call.endedAt === null && !isLive(run)
  switch (call.status) {
    case 'ok':
      if (call.source === 'replayed') return { tone: 'replayed', word: 'Replayed' }
      return { tone: 'completed', word: call.kind === 'gate' ? 'Answered' : 'Done' }
    case 'dead':
      return { tone: 'failed', word: 'Died' }
    case 'skipped':
      return { tone: 'skipped', word: 'Skipped' }
    case 'abandoned':
      if (run === 'killed') return call.startedAt === null ? NOT_YET : { tone: 'stopped', word: 'Stopped' }
      return { tone: 'stopped', word: 'Abandoned' }
    case 'cut-off':
      if (run === 'paused') return { tone: 'paused', word: 'Paused' }
      return run === 'killed' ? { tone: 'stopped', word: 'Stopped' } : { tone: 'interrupted', word: 'Cut off' }
    case 'queued':
      return unended ? NOT_YET : { tone: 'queued', word: 'Queued' }
    case 'running':
    case 'retrying':
    case 'waiting':
      if (unended) return run === 'killed' ? { tone: 'stopped', word: 'Stopped' } : { tone: 'interrupted', word: 'Cut off' }
      if (call.status === 'waiting') return { tone: 'waiting', word: WAITING_WORDS[call.kind] ?? 'Asks you' }
      return { tone: 'running', word: call.status === 'retrying' ? 'Retrying' : 'Running' }
    default:
      return assertNever(call.status)
  }
}

const BY_URGENCY: readonly Tone[] = ['waiting', 'running', 'interrupted', 'stopped', 'queued']

/** The state of a phase, folded from its calls: what needs a look wins. `word` is the progress, "3 of 4". */
export function phaseState(phase: PhaseView | null, calls: readonly CallView[], run: RunStatus): Shown {
  if (calls.length === 0) {
    if (phase?.status === 'running' && isLive(run)) return { tone: 'running', word: 'Started' }
    return phase?.status === 'ended' ? { tone: 'completed', word: 'No calls' } : NOT_YET
  }
  const tones = calls.map((call) => callState(call, run).tone)
  const settled = tones.filter((tone) => tone === 'completed' || tone === 'replayed' || tone === 'skipped').length
  const word = `${settled} of ${calls.length}`
  const urgent = BY_URGENCY.find((tone) => tones.includes(tone))
  if (urgent !== undefined) return { tone: urgent, word }
  const died = tones.filter((tone) => tone === 'failed').length
  if (died > 0) return { tone: died === calls.length || run === 'failed' ? 'failed' : 'partial', word }
  if (tones.every((tone) => tone === 'replayed')) return { tone: 'replayed', word }
  return { tone: settled === 0 ? 'next' : 'completed', word }
}
