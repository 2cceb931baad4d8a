import { expect, test } from 'vitest'
import { passedVariables } from '../../main/agents/passed-variables.ts'
import { BUILT_IN } from '../../main/agents/profiles.ts'
import { Profile } from '../../shared/contract/agents.ts'

const passed = (row: object) => passedVariables(Profile.parse({ name: 'own', ...row }))

test('a profile of your own sees what its program signs in with, as the built-in one does', () => {
  expect(passed({ backend: 'claude' })).toEqual(expect.arrayContaining(['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN', 'HTTPS_PROXY']))
  expect(passed({ backend: 'codex' })).toEqual(expect.arrayContaining(['OPENAI_API_KEY', 'CODEX_HOME']))
  expect(passed({ backend: 'acp', command: '/opt/bin/gemini' })).toEqual(expect.arrayContaining(['GEMINI_API_KEY', 'GEMINI_CLI_HOME']))
  expect(passed({ backend: 'acp', command: 'node', args: ['/opt/codex-acp.js'] })).toContain('CODEX_API_KEY')
  for (const profile of BUILT_IN.filter(({ backend }) => backend === 'claude' || backend === 'codex'))
    expect(passedVariables(profile)).toEqual(passed({ backend: profile.backend }))
})

test('it sees the keys of no other program, and what it names besides', () => {
  expect(
    passed({ backend: 'codex', passEnv: ['MY_TOKEN', 'CODEX_HOME'] }).filter((name) => /ANTHROPIC|GEMINI|MY_TOKEN/.test(name)),
  ).toEqual(['MY_TOKEN'])
  expect(passed({ backend: 'acp', command: 'unheard-of' }).filter((name) => /KEY|TOKEN/.test(name))).toEqual([])
})

test('a program that nobody here knows, a shell and an API see nothing of yours unasked', () => {
  expect(passed({ backend: 'shell' })).toEqual([])
  expect(passed({ backend: 'command', command: 'llm', passEnv: ['LLM_KEY'] })).toEqual(['LLM_KEY'])
})
