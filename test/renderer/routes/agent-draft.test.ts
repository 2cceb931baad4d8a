import { expect, test } from 'vitest'
import { draftOf, profileOf, withRest } from '../../../renderer/routes/settings/agent-draft.ts'
import { Profile } from '../../../shared/contract/agents.ts'

const stored = {
  name: 'local',
  backend: 'api',
  model: 'small',
  permissions: 'ask',
  concurrency: 2,
  pricing: { inputPerMillion: 1.5, outputPerMillion: 6 },
  options: { provider: 'anthropic', baseUrl: 'http://127.0.0.1:1/v1', keyName: 'MY_KEY', headers: { a: 'b' } },
}

function edited(change: Partial<ReturnType<typeof draftOf>>): Profile {
  const made = profileOf({ ...draftOf(stored), ...change })
  if ('whyNot' in made) throw new Error(made.whyNot)
  return Profile.parse(withRest(Profile.parse(made.profile), stored))
}

test('an agent that is opened and saved again is the same', () => {
  expect(edited({})).toEqual(Profile.parse(stored))
})

test('what is changed changes, what is emptied goes, and what the form does not show stays', () => {
  const { pricing, ...profile } = edited({ model: 'large', baseUrl: '', inputPrice: '', outputPrice: '' })
  expect(pricing).toBeUndefined()
  expect(profile).toMatchObject({ model: 'large', concurrency: 2 })
  expect(profile.backend === 'api' && profile.options).toEqual({ provider: 'anthropic', keyName: 'MY_KEY', headers: { a: 'b' } })
})

test('another kind of agent under the same name takes nothing over', () => {
  expect(edited({ backend: 'command', command: 'cat' })).toMatchObject({ backend: 'command', options: { input: 'stdin' } })
})
