/** Rules of resume as a script sees them: recorded results are given to it in their recorded order. */
import { agentFingerprint } from '../../../main/engine/fingerprint.ts'
import type { RecordedCall } from '../../../main/engine/sandbox/protocol.ts'
import type { Json } from '../../../shared/json.ts'
import type { Rule } from './rule.ts'

type Asked = { prompt: string; [option: string]: Json | undefined }

function recorded(call: number, asked: Asked, output: Json, more: Partial<RecordedCall> = {}): RecordedCall {
  const fp = agentFingerprint(asked)
  const state = 'reusable'
  return {
    call,
    kind: 'agent',
    fp,
    state,
    why: 'no-saved-result',
    rank: call,
    output,
    outputTokens: 100,
    at: 500 + call,
    counts: true,
    isExpected: false,
    ...more,
  }
}

const attempt = 2

export const resumeRules: Rule[] = [
  {
    rule: 'a recorded answer is given again, whatever an agent would say today',
    script: "return await agent('a')",
    given: { attempt, history: [recorded(1, { prompt: 'a' }, 'from the journal')] },
    value: 'from the journal',
  },
  {
    rule: 'label, phase, timeout and retries do not make another call of it',
    script: "phase('New')\nreturn await agent('a', { label: 'new', phase: 'P', timeoutMs: 5, retries: 9 })",
    given: { attempt, history: [recorded(1, { prompt: 'a', label: 'old' }, 'saved')] },
    value: 'saved',
  },
  ...Object.entries({ schema: {}, model: 'm', effort: 'low', agentType: 't', isolation: 'worktree', allowedTools: [], maxTokens: 1 }).map(
    ([option, value]): Rule => ({
      rule: `another ${option} is another question`,
      script: `return await agent('a', { ${option}: ${JSON.stringify(value)} })`,
      answers: { a: 'live' },
      given: { attempt, history: [recorded(1, { prompt: 'a' }, 'saved')] },
      value: 'live',
    }),
  ),
  {
    rule: 'keys of a schema may change their order',
    script: "return await agent('a', { schema: { type: 'object', properties: {} } })",
    given: { attempt, history: [recorded(1, { prompt: 'a', schema: { properties: {}, type: 'object' } }, 'saved')] },
    value: 'saved',
  },
  {
    rule: 'the n-th call of a prompt gets its n-th recorded answer',
    script: "return [await agent('a'), await agent('a'), await agent('a')]",
    answers: { a: 'live' },
    given: { attempt, history: [recorded(1, { prompt: 'a' }, 'one'), recorded(2, { prompt: 'a' }, 'two')] },
    value: ['one', 'two', 'live'],
  },
  {
    rule: 'a race is won by whoever won it before',
    script: "return await Promise.race([agent('a'), agent('b')])",
    given: { attempt, history: [recorded(1, { prompt: 'a' }, 'a', { rank: 9 }), recorded(2, { prompt: 'b' }, 'b', { rank: 3 })] },
    value: 'b',
  },
  {
    rule: 'calls moved to another place in the script keep their answers',
    script: "return [await agent('b'), await agent('new'), await agent('a')]",
    given: { attempt, history: [recorded(1, { prompt: 'a' }, 'A'), recorded(2, { prompt: 'b' }, 'B')] },
    value: ['B', 'new', 'A'],
  },
  {
    rule: 'a skipped call stays skipped',
    script: "return await agent('a')",
    given: { attempt, history: [recorded(1, { prompt: 'a' }, null)] },
    value: null,
  },
  {
    rule: 'a call that died is asked again',
    script: "return await agent('a')",
    answers: { a: 'better now' },
    given: { attempt, history: [recorded(1, { prompt: 'a' }, null, { state: 'rerun', why: 'died-last-time' })] },
    value: 'better now',
  },
  {
    rule: 'spent() counts replayed answers as it counted them live',
    script: "await agent('a')\nconst first = budget.spent()\nawait agent('b')\nreturn [first, budget.spent()]",
    given: { attempt, history: [recorded(1, { prompt: 'a' }, 'a')] },
    value: [100, 110],
  },
  {
    rule: 'now() says what it said before',
    script: "const start = now()\nawait agent('a')\nreturn [start, now()]",
    given: { attempt, history: [recorded(1, { prompt: 'a' }, 'a')] },
    value: [1000, 501],
  },
  {
    rule: 'a replayed call is never refused by the limit of agents',
    script: "return await agent('a')",
    given: { attempt, maxAgents: 1, history: [recorded(1, { prompt: 'a' }, 'a'), recorded(2, { prompt: 'b' }, 'b')] },
    value: 'a',
  },
]
