/** The app itself: what it runs on, and what arrived from outside of the window. */
import * as z from 'zod'
import { Done, method, Nothing } from './method.ts'

export const AppInfo = z.object({
  version: z.string(),
  platform: z.enum(['darwin', 'linux', 'win32']).or(z.string()),
  electron: z.string(),
  chrome: z.string(),
  node: z.string(),
})
export type AppInfo = z.infer<typeof AppInfo>

/** One message between page and app. Sizes are bytes as JSON; `ms` is null for what the app told unasked. */
export const IpcLine = z.object({
  n: z.number().int(),
  /** Milliseconds since 1970. */
  at: z.number(),
  name: z.string(),
  bytesIn: z.number().int(),
  bytesOut: z.number().int(),
  ms: z.number().nullable(),
  /** Code of the error that was the answer. */
  error: z.string().nullable(),
})
export type IpcLine = z.infer<typeof IpcLine>

/** The last 500 messages, newest first. */
export const ipcLog = method('app.ipcLog', { input: Nothing, output: z.array(IpcLine) })
/** Opens the sample as a project of its own in the app's data folder, and its script on the new-run sheet, by `app.open`. */
export const openSample = method('app.openSample', { input: Nothing, output: Done })
export const info = method('app.info', { input: Nothing, output: AppInfo })
/** Sorts what was dropped on the window, by its path. When a script belongs to another project, `app.open` tells that it is open now. */
export const inspectDrop = method('app.inspectDrop', {
  input: z.object({ paths: z.array(z.string().min(1)).min(1).max(100) }),
  output: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('project'), path: z.string() }),
    z.object({ kind: z.literal('script'), path: z.string() }),
    /** A run that was exported. */
    z.object({ kind: z.literal('bundle'), path: z.string() }),
    /** A sentence for people: what was wrong with the drop. */
    z.object({ kind: z.literal('refused'), message: z.string() }),
  ]),
})
