import { expect, test } from 'vitest'
import { ruleFor } from '../../main/agents/permission-rules.ts'
import { type PermissionMode, Profile } from '../../shared/contract/agents.ts'

function rule(tool: string, permissions: PermissionMode, allowedTools: string[] | undefined, tools: string[] | null = null): string {
  const profile = Profile.parse({ name: 'p', backend: 'claude', permissions, ...(allowedTools !== undefined && { allowedTools }) })
  return ruleFor(tool, { profile, tools, permissions }).answer
}

test('a profile that asks puts every tool to a person but those it lists', () => {
  expect([rule('Bash', 'ask', undefined), rule('Read', 'ask', ['Read']), rule('Edit', 'ask', ['Read'])]).toEqual(['ask', 'allow', 'ask'])
})

test('an allow-listed profile allows what it lists and asks nobody about the rest', () => {
  const list = ['Read', 'Bash(git log:*)']
  expect([rule('Read', 'allow-listed', list), rule('Bash', 'allow-listed', list), rule('Read', 'allow-listed', undefined)]).toEqual([
    ...['allow', 'deny', 'deny'],
  ])
})

test('a profile with full rights asks nothing', () => {
  expect(rule('Bash', 'full', undefined)).toBe('allow')
})

test('a tool that a call does not have is denied whatever the profile says', () => {
  const all: PermissionMode[] = ['ask', 'allow-listed', 'full']
  expect(all.map((mode) => rule('Bash', mode, ['Bash'], ['Read']))).toEqual(['deny', 'deny', 'deny'])
  expect(all.map((mode) => rule('Bash', mode, ['Bash'], ['Bash(git:*)']))).toEqual(['allow', 'allow', 'allow'])
})
