import { describe } from 'vitest'
import { currentOwner } from '../../../main/store/owner.ts'
import { openStore } from '../../../main/store/run-store.ts'
import { deadOwner, tempFolder } from '../../store/run-fixtures.ts'
import { MemoryStore, type MemoryWorld } from './memory-store.ts'
import { storeSuite } from './store-suite.ts'

describe('runs in a project folder', () => {
  storeSuite(() => {
    const project = tempFolder()
    return { project, store: openStore(project), another: () => openStore(project), alive: currentOwner(), dead: deadOwner() }
  })
})

describe('runs in memory', () => {
  storeSuite(() => {
    const world: MemoryWorld = { runs: new Map(), requests: new Map() }
    const alive = currentOwner()
    const store = (): MemoryStore => new MemoryStore(world, ({ startTime }) => startTime === alive.startTime)
    return { project: '/project', store: store(), another: store, alive, dead: deadOwner() }
  })
})
