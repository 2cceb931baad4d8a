import { expect, test } from 'vitest'
import { agentUnknown } from '../../main/agents/agent-names.ts'

test('an unknown name is refused with its place and every name that is known', () => {
  const error = agentUnknown('revewer', ['shell', 'reviewer'], { line: 3, column: 9 })
  expect(error).toMatchObject({ code: 'agent-unknown', line: 3, column: 9 })
  expect(error.message).toBe('There is no agent "revewer" here. Use one of shell, reviewer, or define it in .claude/agents/revewer.md')
})
