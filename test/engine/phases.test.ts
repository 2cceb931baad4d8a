import { beforeEach, expect, test } from 'vitest'
import { Phases } from '../../main/engine/phases.ts'
import type { NewEvent } from '../../shared/run/events.ts'

let told: string[] = []
let phases: Phases
beforeEach(() => {
  told = []
  phases = new Phases((event: NewEvent) => {
    if (event.type === 'phase.started' || event.type === 'phase.ended') told.push(`${event.type.slice(6)} ${event.phase} ${event.source}`)
  })
})

test('a phase starts at its first mention, once, and ends when another is current and its last call has settled', () => {
  phases.enter('A', 'replayed')
  phases.enter('A', 'live')
  phases.callMade('A', 'live')
  phases.callMade('A', 'live')
  phases.enter('B', 'live')
  phases.callSettled('A')
  expect(told).toEqual(['started A replayed', 'started B live'])
  phases.callSettled('A')
  expect(told.slice(2)).toEqual(['ended A replayed'])
})

test('the current phase stays open while it has no calls, and ends at once when left without any open', () => {
  phases.enter('A', 'live')
  phases.callMade('A', 'live')
  phases.callSettled('A')
  expect(told).toEqual(['started A live'])
  phases.enter('B', 'live')
  expect(told).toEqual(['started A live', 'started B live', 'ended A live'])
})

test('a phase that only a call names starts with it and ends with it', () => {
  phases.enter('A', 'live')
  phases.callMade('X', 'live')
  phases.callSettled('X')
  expect(told).toEqual(['started A live', 'started X live', 'ended X live'])
})

test('calls without a phase belong to none, and what is open at the end of the run ends with it, once', () => {
  phases.callMade(null, 'live')
  phases.callSettled(null)
  phases.callSettled('unknown')
  phases.enter('A', 'live')
  phases.callMade('B', 'live')
  phases.end()
  phases.end()
  expect(told).toEqual(['started A live', 'started B live', 'ended A live', 'ended B live'])
})

test('a phase of the script stays open while a child enters and leaves its own', () => {
  phases.enter('Main', 'live')
  phases.enter('lint › Look', 'live', 4)
  phases.enter('lint › Judge', 'live', 4)
  phases.leave(4)
  phases.enter('Next', 'live')
  expect(told).toEqual([
    'started Main live',
    'started lint › Look live',
    'started lint › Judge live',
    'ended lint › Look live',
    'ended lint › Judge live',
    'started Next live',
    'ended Main live',
  ])
})
