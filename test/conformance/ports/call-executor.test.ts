import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { describe } from 'vitest'
import type { AgentOutcome, AgentRunner } from '../../../main/agents/agent-runner.ts'
import type { Outcome } from '../../../main/engine/ports.ts'
import { LocalExecutor } from '../../../main/host/local-executor.ts'
import { playedBy } from '../../agents/process-fixture.ts'
import { executorSuite } from './executor-suite.ts'
import { MemoryExecutor } from './memory-executor.ts'

const usage = { inputTokens: 1, outputTokens: 1 }

/** The agent of both executors: says its words one by one and answers with its prompt. */
async function play(prompt: string, stopped: AbortSignal, say: (text: string) => void): Promise<AgentOutcome> {
  if (prompt === 'die') return { kind: 'dead', reason: 'agent-error', detail: 'it died', retryable: true, usage }
  if (prompt === 'hang') {
    if (!stopped.aborted) await once(stopped, 'abort')
    return { kind: 'cancelled' }
  }
  for (const word of prompt.split(' ')) {
    await Promise.resolve()
    say(word)
  }
  return { kind: 'ok', output: prompt, usage, cost: null }
}

describe('agents of this machine', () => {
  executorSuite(() => {
    const started: string[] = []
    const runner: AgentRunner = {
      backend: 'played',
      streams: true,
      run: ({ prompt }, { signal, onEvent }) => {
        started.push(prompt)
        return play(prompt, signal, (text) => onEvent({ kind: 'text', text }))
      },
    }
    return { started, executor: new LocalExecutor({ cwd: tmpdir(), slots: 4, runners: playedBy(runner), defaultAgent: 'played' }) }
  })
})

describe('agents in memory', () => {
  executorSuite(() => {
    const started: string[] = []
    const executor = new MemoryExecutor(async ({ request }, stopped, say): Promise<Outcome> => {
      const prompt = (request as { prompt: string }).prompt
      started.push(prompt)
      const outcome = await play(prompt, stopped, say)
      if (outcome.kind === 'ok') return { ...outcome, output: { inline: outcome.output }, backend: 'played' }
      if (outcome.kind === 'dead') return { ...outcome, cost: null, backend: 'played' }
      return { kind: 'cancelled' }
    })
    return { started, executor }
  })
})
