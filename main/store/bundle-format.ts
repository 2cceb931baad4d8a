/** What a `.reprise` file is: which names it may hold, how large it may be, and its manifest with the sums of all files. */
import * as z from 'zod'
import { AppError } from '../../shared/errors.ts'
import { RunId } from '../../shared/ids.ts'

export const BUNDLE_FORMAT = 1
export const MANIFEST = 'manifest.json'

/** Most bytes that a bundle may unpack to, and most files. */
export const MAX_BYTES = 2 * 1024 ** 3
export const MAX_FILES = 100_000

export const Manifest = z.object({
  kind: z.literal('reprise-run'),
  format: z.number().int().positive(),
  runId: RunId,
  redacted: z.boolean(),
  /** Version of Reprise that wrote it. */
  engine: z.string(),
  files: z.array(
    z.object({
      name: z.string(),
      bytes: z.number().int().nonnegative(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
})
export type Manifest = z.infer<typeof Manifest>

/** Files that every bundle has. */
export const NEEDED = ['run.json', 'journal.jsonl'] as const

const PLAIN = new Set<string>([MANIFEST, ...NEEDED, 'events.jsonl', 'state.json'])
export const SOURCE_FILE = /^[0-9a-f]{16}\.[a-z0-9]{1,8}$/
export const PAYLOAD_FILE = /^[0-9a-f]{64}$/
/** One part of a path, on any system: no separators, drives, control characters, nothing that Windows strips or reserves. */
const SAFE_PART = /^(?!\.{1,2}$)(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[^\p{Cc}/\\:*?"<>|]{1,255}(?<![. ])$/iu

/** Why a name may not be in a bundle; null when it may. */
export function nameFault(name: string): string | null {
  const parts = name.split('/')
  if (/^(?:[/\\]|[A-Za-z]:)/.test(name) || parts.includes('..')) return 'leads out of its folder'
  if (parts.length > 32 || !parts.every((part) => SAFE_PART.test(part))) return 'has an impossible name'
  const [folder = '', file = ''] = parts
  if (parts.length === 1) return PLAIN.has(name) ? null : 'is no part of a run'
  const allowed =
    (folder === 'source' && parts.length === 2 && SOURCE_FILE.test(file)) ||
    (folder === 'payload' && parts.length === 2 && PAYLOAD_FILE.test(file)) ||
    folder === 'artifacts' ||
    folder === 'transcripts'
  return allowed ? null : 'is no part of a run'
}

/** @param why continues "… is not imported: " */
export function invalidBundle(file: string, why: string, cause?: unknown): AppError {
  return new AppError('bundle-invalid', `${file} is not imported: ${why}. Export the run again, or get the file anew.`, { cause })
}
