/** Names of things that cross a boundary. Every id is checked here before it becomes part of a path. */
import * as z from 'zod'

/** A run's id: one safe path segment. New ones are ULIDs; older tools' ids of the same alphabet are accepted. */
export const RunId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, 'a run id has 1 to 128 letters, digits, _ or -')
  .brand<'RunId'>()
export type RunId = z.infer<typeof RunId>

/** Client-made id of one request to start a run: 16 random bytes as hex. The same id asked twice is asked once. */
export const RequestId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/)
  .brand<'RequestId'>()
export type RequestId = z.infer<typeof RequestId>

export function isRunId(text: string): text is RunId {
  return RunId.safeParse(text).success
}
