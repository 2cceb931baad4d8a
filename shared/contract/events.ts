/** What the main process tells the page without being asked. */
import * as z from 'zod'
import { RunId } from '../ids.ts'
import { RunEvent } from '../run/events.ts'
import { Project } from './projects.ts'
import { Settings } from './settings.ts'

/**
 * News of one watched run, at most ten times a second. `seq` is the last event's. Events that don't follow on the ones known
 * mean: show the run anew; so does an empty batch with a newer `seq`, the news of a run that another process owns.
 */
export const RunsChanged = z.object({ runId: RunId, seq: z.number().int(), events: z.array(RunEvent) })
export type RunsChanged = z.infer<typeof RunsChanged>

/** The list of runs is not what it was: ask for it again. `seq` counts up. */
export const HistoryChanged = z.object({ seq: z.number().int(), project: z.string() })
export type HistoryChanged = z.infer<typeof HistoryChanged>

/** Something to bring on screen: from the command line, a second start, a file manager, a link, a notification or the tray. */
export const AppOpen = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('project'), project: Project }),
  /** `agent`: the one to begin with; absent: as the settings say. */
  z.object({ kind: z.literal('script'), path: z.string(), agent: z.string().optional() }),
  /** A run that was exported, to be taken in. */
  z.object({ kind: z.literal('bundle'), path: z.string() }),
  z.object({ kind: z.literal('run'), runId: RunId, attempt: z.number().int().nullable(), call: z.number().int().nullable() }),
  /** It can't be opened; a sentence for people. */
  z.object({ kind: z.literal('refused'), message: z.string() }),
])
export type AppOpen = z.infer<typeof AppOpen>

/** Menu items whose work is the page's. */
export const COMMANDS = ['new-run', 'home', 'back', 'find', 'commands', 'settings', 'keys', 'reveal-project'] as const
export const AppCommand = z.enum(COMMANDS)
export type AppCommand = z.infer<typeof AppCommand>

export const events = {
  'runs.changed': RunsChanged,
  'history.changed': HistoryChanged,
  'settings.changed': Settings,
  'app.open': AppOpen,
  'app.command': AppCommand,
} as const

export type EventName = keyof typeof events
export type EventOf<N extends EventName> = z.infer<(typeof events)[N]>
