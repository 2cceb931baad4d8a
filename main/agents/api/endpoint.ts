/** Where a model answers, and whether it does. */
import type { ApiOptions } from '../../../shared/contract/agents.ts'
import type { BackendState } from '../agent-runner.ts'

export interface Endpoint {
  provider: ApiOptions['provider']
  /** Without a slash at its end. */
  url: string
  /** Empty: none is sent. */
  key: string
  headers: Readonly<Record<string, string>>
}

const USUAL_URL: Record<ApiOptions['provider'], string> = {
  'openai-compatible': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
}
const ANTHROPIC_VERSION = '2023-06-01'
const PROBE_MS = 5000

export function baseUrlOf({ provider, baseUrl }: ApiOptions): string {
  return (baseUrl ?? USUAL_URL[provider]).replace(/\/+$/, '')
}

/** Asks for the list of models, which costs nothing. */
export async function probeEndpoint({ provider, url, key, headers }: Endpoint, signal: AbortSignal): Promise<BackendState> {
  const own: Record<string, string> =
    provider === 'anthropic'
      ? { 'x-api-key': key, 'anthropic-version': ANTHROPIC_VERSION }
      : key === ''
        ? {}
        : { authorization: `Bearer ${key}` }
  let status: number
  try {
    const response = await fetch(`${url}/models`, {
      headers: { ...own, ...headers },
      signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]),
    })
    await response.body?.cancel()
    status = response.status
  } catch (error) {
    return { version: null, state: 'not-found', detail: unreachable(url, error) }
  }
  if (status === 401 || status === 403) return { version: null, state: 'signed-out', detail: `${url} does not take the key (${status})` }
  if (status >= 500) return { version: null, state: 'unknown', detail: `${url} answers with ${status}` }
  // A server without such a list is still one that answers.
  return { version: null, state: 'ready', detail: null }
}

export function unreachable(url: string, error: unknown): string {
  return `${url} does not answer: ${rootOf(error)}. Start it, or correct the address`
}

/** The cause of causes says what happened, e.g. that nobody listens; what wraps it says only that something did. */
function rootOf(error: unknown): string {
  let at = error
  while (at instanceof Error && at.cause instanceof Error) at = at.cause
  if (!(at instanceof Error)) return String(at)
  const code = 'code' in at ? String(at.code) : ''
  return at.message === '' ? code : at.message
}
