import { expect, test } from 'vitest'
import { agentHandlers } from '../../../main/ipc/handlers/agents.ts'
import { Profile } from '../../../shared/contract/agents.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../shared/contract/settings.ts'
import { fakeService } from '../../cli/fake-service.ts'

function world(profiles: Settings['profiles'] = []) {
  let value: Settings = { ...DEFAULT_SETTINGS, profiles }
  const log: string[] = []
  const { service } = fakeService({
    agents: async (project) => {
      log.push(`list ${project}`)
      return { agents: [], problems: [] }
    },
  })
  const settings = {
    get value() {
      return value
    },
    change(rows: Partial<Settings>) {
      value = { ...value, ...rows }
      log.push('changed')
      return value
    },
    async flush() {
      log.push('flushed')
    },
  }
  const secrets = { change: async (...given: unknown[]) => void log.push(JSON.stringify(given)) }
  const handlers = agentHandlers({ service, projects: { current: null }, settings, secrets, dataFolder: '/data' })
  return { handlers, log, names: () => value.profiles.map((one) => (one as { name?: string }).name) }
}

const profile = (name: string, permissions: 'ask' | 'full' = 'ask') => Profile.parse({ name, backend: 'claude', permissions })

test('a saved profile takes the place of the one of its name and is on disk when the page hears of it', async () => {
  const { handlers, log, names } = world(['not a profile', profile('a'), profile('b')])
  await handlers['agents.save']({ profile: profile('a', 'full') })
  expect(log).toEqual(['changed', 'flushed'])
  expect(names()).toEqual([undefined, 'b', 'a'])
  await handlers['agents.remove']({ name: 'b' })
  expect(names()).toEqual([undefined, 'a'])
})

test('without an open project the agents of the person are listed', async () => {
  const { handlers, log } = world()
  await handlers['agents.list'](undefined)
  expect(log).toEqual(['list /data'])
})

test('a secret goes to the key store and comes back to nobody', async () => {
  const { handlers, log } = world()
  expect(await handlers['agents.setSecret']({ profile: 'a', name: 'KEY', value: 's3cret' })).toBe(null)
  expect(log).toEqual(['["a","KEY","s3cret"]'])
})
