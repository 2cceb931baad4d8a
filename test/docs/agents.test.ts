/** The guide to agents says what is so: its profiles are profiles, and each known program is named. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Profile } from '../../shared/contract/agents.ts'

const GUIDE = readFileSync('docs/agents.md', 'utf8')

/** Every JSON of the guide, in a block or in a cell of a table. */
const WRITTEN = [...GUIDE.matchAll(/^```json\n([\s\S]*?)^```$|`(\{ "name".*?\})`(?= \|)/gm)].map((found) => found[1] ?? found[2] ?? '')

test('every profile in it can be used as it is written', () => {
  const profiles = WRITTEN.flatMap((text) => {
    const value = JSON.parse(text) as { profiles?: unknown[] }
    return value.profiles ?? [value]
  })
  expect(profiles.length).toBeGreaterThanOrEqual(8)
  for (const profile of profiles) expect(Profile.safeParse(profile).error, JSON.stringify(profile)).toBeUndefined()
})
