/**
 * The built-in `simulated` agent: no model, no network, no cost. It answers at once and always the same, from the schema
 * or with a short text, unless markers in the prompt script something else. For dry runs, samples and tests.
 */
import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { Json } from '../../shared/json.ts'
import { DEAD_REASONS, type DeadReason, type Usage } from '../../shared/run/record.ts'
import type { AgentCall, AgentContext, AgentOutcome, AgentRunner, MakeRunner } from './agent-runner.ts'
import { brokenInstance } from './schema-broken.ts'
import { smallestInstance } from './schema-instance.ts'
import { readSimulatedScript, type SimulatedScript } from './simulated-script.ts'

const ANSWER_TOKENS = 10
const ANSWER_CHARS = 80
const RETRYABLE: readonly DeadReason[] = ['agent-error', 'rate-limited', 'stalled', 'worktree-failed']

export const makeSimulatedRunner: MakeRunner<'simulated'> = () => new SimulatedRunner()

export class SimulatedRunner implements AgentRunner {
  readonly backend = 'simulated'
  readonly streams = true

  async run(call: AgentCall, context: AgentContext): Promise<AgentOutcome> {
    const unlogged = logStart(call)
    if (unlogged !== null) return dead('agent-error', unlogged, 0, false)
    const script = readSimulatedScript(call.prompt)
    if ('problem' in script) return dead('agent-error', script.problem, 0, false)
    try {
      await work(script, context.signal, (text) => context.onEvent({ kind: 'text', text }))
      for (const [index, tool] of script.asks.entries()) await askFor(tool, `${call.call}.${call.generation}.${index}`, call, context)
      if (script.hang) await wait(2 ** 31 - 1, undefined, { signal: context.signal })
    } catch (error) {
      if (context.signal.aborted) return { kind: 'cancelled' }
      throw error
    }
    if (context.signal.aborted) return { kind: 'cancelled' }
    const reason = script.die ?? (call.generation === 1 ? script.dieOnce : null)
    if (reason !== null) return death(reason, script)
    const usage: Usage = { inputTokens: 0, outputTokens: script.tokens ?? ANSWER_TOKENS }
    return { kind: 'ok', output: answer(script, call), usage, cost: 0 }
  }
}

/**
 * Appends one line for a real start to the file that `REPRISE_SIM_LOG` names, so that anybody can count what ran live.
 * Several processes may share the file. Returns what went wrong.
 */
function logStart(call: AgentCall): string | null {
  const file = process.env.REPRISE_SIM_LOG
  if (file === undefined || file === '') return null
  const line = JSON.stringify({ call: call.call, prompt: call.prompt, attempt: call.attempt, at: Date.now() })
  try {
    appendFileSync(file, `${line}\n`, { flag: 'a' })
    return null
  } catch (error) {
    return `REPRISE_SIM_LOG names ${file}, which can't be written: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Takes the scripted time, with progress events evenly on the way. */
async function work(script: SimulatedScript, signal: AbortSignal, show: (text: string) => void): Promise<void> {
  const pause = script.delayMs / (script.events + 1)
  for (let step = 1; step <= script.events; step += 1) {
    await wait(pause, undefined, { signal })
    show(`Simulated step ${step} of ${script.events}`)
  }
  await wait(pause, undefined, { signal })
}

/** A denied tool ends that tool's call, not the agent. */
async function askFor(tool: string, id: string, call: AgentCall, context: AgentContext): Promise<void> {
  const narrowed = call.allowedTools !== undefined && !call.allowedTools.includes(tool)
  const title = `Use ${tool} (simulated)`
  const answer = narrowed ? 'deny' : await context.onPermission({ id, tool, title, input: { simulated: true } })
  context.signal.throwIfAborted()
  if (answer === 'deny') {
    const why = narrowed ? 'is not among the allowed tools of this call' : 'was denied'
    context.onEvent({ kind: 'notice', text: `${tool} ${why}; the agent goes on without it` })
    return
  }
  context.onEvent({ kind: 'tool-started', text: tool })
  context.onEvent({ kind: 'tool-ended', text: tool })
}

function answer(script: SimulatedScript, call: AgentCall): Json {
  if (call.schema !== undefined && call.generation <= script.invalid) return brokenInstance(call.schema)
  if (script.json !== null) return call.schema === undefined ? JSON.stringify(script.json.value) : script.json.value
  if (script.text !== null) return script.text
  if (call.schema !== undefined) return smallestInstance(call.schema)
  const line = script.rest.trim().split(/\r?\n/, 1)[0] ?? ''
  return `[simulated] ${[...line.trimEnd().slice(0, 2 * ANSWER_CHARS)].slice(0, ANSWER_CHARS).join('')}`
}

function death(reason: string, script: SimulatedScript): AgentOutcome {
  const tokens = script.tokens ?? 0
  if (reason === 'quota' || reason === 'auth') {
    const detail = reason === 'quota' ? 'The simulated quota is used up' : 'The simulated agent is not signed in'
    return { kind: 'halt', reason, detail, ...(script.reset === null ? {} : { resetAt: script.reset }) }
  }
  const known = DEAD_REASONS.find((name) => name === reason)
  if (known === undefined) return dead('agent-error', reason, tokens, true)
  const outcome = dead(known, `Simulated ${known}`, tokens, RETRYABLE.includes(known))
  if (known !== 'rate-limited' || script.reset === null) return outcome
  return { ...outcome, retryAfterMs: Math.max(0, Date.parse(script.reset) - Date.now()) }
}

type Dead = Extract<AgentOutcome, { kind: 'dead' }>

function dead(reason: DeadReason, detail: string, outputTokens: number, retryable: boolean): Dead {
  return { kind: 'dead', reason, detail, retryable, usage: { inputTokens: 0, outputTokens } }
}
