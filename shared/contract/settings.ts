/** What the person set for the whole app. Every row has a default, so an older file or a damaged row reads as that default. */
import * as z from 'zod'
import { MOST_STALL_MINUTES, STALL_MINUTES } from '../run/stall.ts'
import { method, Nothing } from './method.ts'

/** Page zoom in per cent: what the menu steps through. */
export const ZOOMS = [80, 90, 100, 110, 125, 150, 175, 200] as const
/** Command id → its keys as in the command list; only rebound ones. An empty list: the command has no key. */
const Keys = z.record(z.string(), z.array(z.string().min(1)).max(4))

const StallMinutes = z.number().int().min(1).max(MOST_STALL_MINUTES)

export const Settings = z.object({
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  density: z.enum(['comfortable', 'dense']).catch('comfortable'),
  reduceMotion: z.enum(['system', 'on']).catch('system'),
  /** Default agent of new runs; null asks each time. */
  agent: z.string().min(1).nullable().catch(null),
  /** Calls at once in a new run; null leaves it to the engine. */
  concurrency: z.number().int().min(1).max(16).nullable().catch(null),
  /** Output tokens that a new run may spend; null for no limit. */
  budget: z.number().int().positive().nullable().catch(null),
  /** US dollars that a new run may spend; null for no limit. */
  maxCost: z.number().positive().nullable().catch(null),
  /** Minutes without a sign of life after which an agent of a new run is taken as stuck; null for never. */
  stallMinutes: StallMinutes.nullable().catch(STALL_MINUTES),
  zoom: z.literal(ZOOMS).catch(100),
  /** A gate or a question of an agent that waits is told by a notification. */
  notifyWaiting: z.boolean().catch(true),
  /** The app's icon counts the runs that wait for somebody. */
  badge: z.boolean().catch(true),
  /** The person's agents, as written; a profile that is wrong stays, and is told of with its line. */
  profiles: z.array(z.json()).catch([]),
  /** US dollars that all runs of one day may cost together; null for no limit. */
  maxCostPerDay: z.number().nonnegative().nullable().catch(null),
  /** When a run's end is told by a notification. */
  notifyRunEnded: z.enum(['always', 'in-background', 'never']).catch('in-background'),
  /** Keep the machine awake while runs are live. */
  keepAwake: z.boolean().catch(true),
  /** How many ended runs a project keeps; older ones go to the system's trash. Null keeps all. */
  keepRuns: z.number().int().min(1).max(1_000_000).nullable().catch(200),
  /** Shortcuts of a single key in lists and the timeline. */
  singleKeys: z.boolean().catch(true),
  keys: Keys.catch({}),
})
export type Settings = z.infer<typeof Settings>

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  density: 'comfortable',
  reduceMotion: 'system',
  agent: null,
  concurrency: null,
  budget: null,
  maxCost: null,
  stallMinutes: STALL_MINUTES,
  zoom: 100,
  notifyWaiting: true,
  badge: true,
  profiles: [],
  maxCostPerDay: null,
  notifyRunEnded: 'in-background',
  keepAwake: true,
  keepRuns: 200,
  singleKeys: true,
  keys: {},
}

/** Only the rows that change. */
export const SettingsChange = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']).exactOptional(),
  density: z.enum(['comfortable', 'dense']).exactOptional(),
  reduceMotion: z.enum(['system', 'on']).exactOptional(),
  agent: z.string().min(1).nullable().exactOptional(),
  concurrency: z.number().int().min(1).max(16).nullable().exactOptional(),
  budget: z.number().int().positive().nullable().exactOptional(),
  maxCost: z.number().positive().nullable().exactOptional(),
  stallMinutes: StallMinutes.nullable().exactOptional(),
  zoom: z.literal(ZOOMS).exactOptional(),
  notifyWaiting: z.boolean().exactOptional(),
  badge: z.boolean().exactOptional(),
  maxCostPerDay: z.number().nonnegative().nullable().exactOptional(),
  notifyRunEnded: z.enum(['always', 'in-background', 'never']).exactOptional(),
  keepAwake: z.boolean().exactOptional(),
  keepRuns: z.number().int().min(1).max(1_000_000).nullable().exactOptional(),
  singleKeys: z.boolean().exactOptional(),
  keys: Keys.exactOptional(),
})
export type SettingsChange = z.infer<typeof SettingsChange>

export const get = method('settings.get', { input: Nothing, output: Settings })
/** Changes rows and returns all of them. */
export const set = method('settings.set', { input: SettingsChange, output: Settings })
