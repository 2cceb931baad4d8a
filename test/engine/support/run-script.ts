/** Runs a script's text as the product does: checked, prepared, in a thread of its own from the built file, with given answers. */
import { expect } from 'vitest'
import type { FromScript, ScriptInit } from '../../../main/engine/sandbox/protocol.ts'
import { type ScriptThread, scriptThreads } from '../../../main/engine/script-thread.ts'
import { checkScript, type PreparedScript } from '../../../main/engine/source/check-script.ts'
import type { ErrorData } from '../../../shared/errors.ts'
import type { Json } from '../../../shared/json.ts'

/** The entry of the script's thread, as built. */
export const ENTRY = new URL('../../../out/cli/script-worker.mjs', import.meta.url)
export const startThread = scriptThreads(ENTRY)

export interface ScriptOptions extends Partial<Omit<ScriptInit, 'script'>> {
  file?: string
  /** The answer to the live call with this prompt; the prompt itself when absent. */
  answer?(prompt: string, call: number): Json
}

/** Everything that came out of a script's thread, and how it ended. */
export interface Told {
  messages: FromScript[]
  ending: 'settled' | 'stuck' | 'limit' | 'died' | 'idle'
  value: Json | undefined
  error: ErrorData | undefined
  prompts: string[]
  logs: string[]
}

/** The script made ready; a finding that is an error fails the test. */
export async function prepared(source: string, file = 'script.js'): Promise<PreparedScript> {
  const { prepared: script, diagnostics } = await checkScript(source, file)
  if (script === null) throw new Error(`Refused: ${diagnostics.map(({ message }) => message).join(' ')}`)
  return script
}

export function initOf(script: PreparedScript, options: ScriptOptions = {}): ScriptInit {
  const { file: _, answer: __, ...given } = options
  return {
    script,
    seed: 'seed',
    startedAt: 1_000,
    attempt: 1,
    budget: null,
    maxAgents: 1000,
    policy: 'content',
    history: [],
    ...given,
  }
}

/** One script from its first line to its end; its live calls are answered in the order in which they were made. */
export async function runScript(source: string, options: ScriptOptions = {}): Promise<Told> {
  const script = await prepared(source, options.file)
  const messages: FromScript[] = []
  let thread: ScriptThread | null = null
  const answer = options.answer ?? ((prompt: string) => prompt)
  return new Promise((resolve) => {
    const end = (ending: Told['ending'], value: Json | undefined, error: ErrorData | undefined): void => {
      const calls = messages.flatMap((message) => (message.t === 'call' ? [message] : []))
      const logs = messages.flatMap((message) => (message.t === 'log' ? [message.text] : []))
      const prompts = calls.map(({ request }) => promptOf(request))
      const told: Told = { messages, ending, value, error, prompts, logs }
      void thread?.terminate().then(() => resolve(told))
    }
    thread = startThread(initOf(script, options), {
      batch: (batch) => {
        for (const message of batch) {
          messages.push(message)
          if (message.t === 'call' && message.whyLive !== null && !message.lazy) {
            const output = answer(promptOf(message.request), message.call)
            thread?.post({ t: 'result', call: message.call, output, outputTokens: 10, at: 1_000 + message.call })
          }
          if (message.t === 'settled') {
            const { outcome } = message
            end('settled', outcome.ok ? outcome.value : undefined, outcome.ok ? undefined : outcome.error)
          }
          if (message.t === 'stuck' || message.t === 'limit') end(message.t, undefined, message.error)
        }
      },
      died: (error) => end('died', undefined, error),
    })
  })
}

/** The value that a script returns; a script that ends otherwise fails the test with its error. */
export async function valueOf(source: string, options: ScriptOptions = {}): Promise<Json | undefined> {
  const { error, value } = await runScript(source, options)
  expect(error).toBeUndefined()
  return value
}

/** The error with which a script ends; one that returns fails the test. */
export async function errorOf(source: string, options: ScriptOptions = {}): Promise<ErrorData> {
  const { error, value } = await runScript(source, options)
  if (error === undefined) throw new Error(`It returned ${JSON.stringify(value)}`)
  return error
}

function promptOf(request: Json): string {
  return typeof request === 'object' && request !== null && !Array.isArray(request) ? String(request['prompt']) : ''
}
