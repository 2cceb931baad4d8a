/** What crosses a thread or the bridge instead of a thrown error. */
import type { ErrorData } from './errors.ts'

export type Result<T> = { ok: true; value: T } | { ok: false; error: ErrorData }
