/** Shows a run while it goes on: on a terminal one status line that is redrawn below what stays, elsewhere plain lines. */
import type { RunEvent } from '../../../shared/run/events.ts'
import { STATUS } from '../../../shared/run/status.ts'
import type { Context } from '../context.ts'
import { duration } from '../text/amounts.ts'
import { type Ink, mark } from '../text/ink.ts'
import { cut, oneLine, pad, width } from '../text/printable.ts'
import { settled, sources } from './counts.ts'
import { eventLine } from './event-line.ts'
import type { Tally, TallyKeeper } from './tally.ts'

export interface Progress {
  /** Shows an event and folds it into the tally. */
  event(event: RunEvent): void
  /** Draws nothing between lines while a question stands on the terminal. */
  hold(isHeld: boolean): void
  /** A line that stays, from elsewhere. */
  line(text: string): void
  end(): void
}

/** Below this the eye sees no difference, and a thousand quick calls cost no time. */
const REDRAW_MS = 60
const LABELS = 3
/** Cells of the `^C` that a terminal writes behind the line. */
const ECHO = 2

/** More cells than this leave no room for words. */
const CELLS = 12

/** `▮▮▯▯`: how many of the declared phases have ended; empty when none is declared. */
export function phaseBar({ declared, endedPhases }: Pick<Tally, 'declared' | 'endedPhases'>): string {
  const cells = Math.min(CELLS, declared.length)
  const done = declared.filter((title) => endedPhases.has(title)).length
  const full = declared.length === 0 ? 0 : Math.floor((done / declared.length) * cells)
  return '▮'.repeat(full) + '▯'.repeat(cells - full)
}

/** The words of the status line, before it is cut to the terminal. */
export function statusText(tally: Tally, now: number): string {
  const working = [...tally.working].map((id) => oneLine(tally.open.get(id)?.label ?? String(id)))
  const more = working.length - LABELS
  const labels = working.slice(0, LABELS).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const bar = phaseBar(tally)
  const words = [
    tally.phase === null ? oneLine(tally.title) : oneLine(tally.phase),
    tally.asked === 0 ? '' : `${settled(tally.counts)}/${tally.asked}`,
    sources(tally.counts),
    duration(Math.floor(Math.max(0, now - tally.startedAt) / 1000) * 1000),
    labels,
  ]
    .filter((part) => part !== '')
    .join(' · ')
  return bar === '' ? words : `${bar} ${words}`
}

export function createProgress(context: Context, tally: TallyKeeper): Progress {
  if (context.globals.quiet)
    return { event: (event) => tally.fold(event), hold: () => undefined, line: () => undefined, end: () => undefined }
  const isLive = context.io.isTty.stderr && context.io.env.TERM !== 'dumb'
  return isLive ? liveProgress(context, tally) : plainProgress(context, tally)
}

/** The phase in which something new happens: one that begins, or one begun during replay that gets its first live call. */
function livePhase(event: RunEvent): string | null {
  const tells = event.type === 'phase.started' || event.type === 'call.queued'
  return tells && event.source === 'live' ? event.phase : null
}

function plainProgress(context: Context, tally: TallyKeeper): Progress {
  const rules = { everyCall: context.globals.verbose, replayed: context.globals.verbose }
  const said = new Set<string>()
  return {
    event(event) {
      const phase = livePhase(event)
      if (phase !== null && !said.has(phase)) {
        said.add(phase)
        context.note(`Phase: ${oneLine(phase)}`)
      }
      const line = eventLine(event, tally.now, rules, context.ink.err)
      tally.fold(event)
      if (line !== null) context.note(line)
    },
    hold: () => undefined,
    line: (text) => context.note(text),
    end: () => undefined,
  }
}

function liveProgress(context: Context, tally: TallyKeeper): Progress {
  const { stderr } = context.io
  const ink: Ink = context.ink.err
  const rules = { everyCall: true, replayed: context.globals.verbose }
  let isHeld = false
  let drawn = 0
  let drawnAt = 0
  let pending: NodeJS.Timeout | undefined
  let isReplaySaid = false

  // The last cell stays free: a terminal may begin a new line when it is filled.
  const columns = () => (stderr.columns || 80) - 1
  // Blanks and carriage returns instead of escape sequences: the line is the same with and without colour.
  const clear = () => {
    if (drawn > 0) stderr.write(`\r${' '.repeat(Math.min(drawn + ECHO, columns()))}\r`)
    drawn = 0
  }
  const draw = () => {
    clearTimeout(pending)
    pending = undefined
    if (tally.now.startedAt === 0 || isHeld) return
    const text = cut(`${STATUS.running.glyph} ${statusText(tally.now, Date.now())}`, columns())
    stderr.write(`\r${ink.tone('running', text.slice(0, 1))}${pad(text.slice(1), drawn - 1)}`)
    drawn = width(text)
    drawnAt = Date.now()
  }
  const drawSoon = () => {
    if (pending !== undefined) return
    const wait = drawnAt + REDRAW_MS - Date.now()
    if (wait <= 0) draw()
    else pending = setTimeout(draw, wait)
  }
  const clock = setInterval(draw, 1000)
  clock.unref()
  const stay = (text: string) => {
    clear()
    stderr.write(`${text}\n`)
  }
  /** Replayed calls come in one burst; one line for all of them, once the first live one is through. */
  const sayReplayed = () => {
    if (isReplaySaid || rules.replayed || tally.now.counts.replayed === 0) return
    isReplaySaid = true
    stay(`${mark(ink, 'replayed')} ${tally.now.counts.replayed} replayed from earlier attempts`)
  }
  return {
    event(event) {
      const line = eventLine(event, tally.now, rules, ink)
      if (event.type === 'call.started' || event.type === 'run.ended') sayReplayed()
      tally.fold(event)
      if (line !== null) stay(line)
      drawSoon()
    },
    hold(held) {
      isHeld = held
      if (held) clear()
      else drawSoon()
    },
    line(text) {
      stay(text)
      drawSoon()
    },
    end() {
      clearInterval(clock)
      clearTimeout(pending)
      clear()
    },
  }
}
