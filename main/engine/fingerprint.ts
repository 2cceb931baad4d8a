/** The hash that says two calls ask for the same thing. */
import { createHash } from 'node:crypto'
import { canonicalJson, type Json } from '../../shared/json.ts'
import type { CallKind } from '../../shared/run/record.ts'

/** Options of an agent call that change what is asked. Label, phase, timeout and retries do not. */
const ASKED = ['prompt', 'schema', 'model', 'effort', 'agentType', 'isolation', 'allowedTools', 'maxTokens'] as const

/** Sha-256 (hex) of the kind and of what is asked; keys in any order, absent and `undefined` alike. */
export function fingerprint(kind: CallKind, asked: { [key: string]: Json | undefined }): string {
  return sha256(canonicalJson({ kind, asked }))
}

export function agentFingerprint(request: { [key: string]: Json | undefined }): string {
  const asked: { [key: string]: Json | undefined } = {}
  for (const key of ASKED) asked[key] = request[key]
  return fingerprint('agent', asked)
}

/** Sha-256 of the UTF-8 text, as 64 hex digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
