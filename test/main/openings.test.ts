import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Openings, sortPaths, wordsToOpen } from '../../main/openings.ts'
import { Projects } from '../../main/projects.ts'
import type { AppOpen } from '../../shared/contract/events.ts'

let top: string
let projects: Projects
let openings: Openings
let delivered: AppOpen[]

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-openings-')))
  projects = new Projects(join(top, 'data'))
  delivered = []
  openings = new Openings(projects, (open) => delivered.push(open))
})
afterEach(async () => {
  await projects.flush()
  rmSync(top, { recursive: true, force: true })
})

function file(path: string): string {
  const full = join(top, path)
  mkdirSync(join(full, '..'), { recursive: true })
  writeFileSync(full, '')
  return full
}

test('what comes before the page listens waits, and comes in order', () => {
  openings.pushWord('reprise://run/A1', top)
  openings.pushWord('reprise://run/A2/3/4', top)
  expect(delivered).toEqual([])
  openings.pageListens()
  openings.pushWord('reprise://run/A3', top)
  expect(delivered).toEqual([
    { kind: 'run', runId: 'A1', attempt: null, call: null },
    { kind: 'run', runId: 'A2', attempt: 3, call: 4 },
    { kind: 'run', runId: 'A3', attempt: null, call: null },
  ])
})

test('a page that loads anew gets what came meanwhile, once', () => {
  openings.pageListens()
  openings.pageLoads()
  openings.pushWord('reprise://run/A1', top)
  expect(delivered).toEqual([])
  openings.pageListens()
  openings.pageListens()
  expect(delivered).toHaveLength(1)
})

test.each(['reprise://run/', 'reprise://run/../x', 'reprise://run/a%2Fb', 'reprise://other', 'reprise://run/A1/x'])(
  'the link %s is refused',
  (link) => {
    openings.pageListens()
    openings.pushWord(link, top)
    expect(delivered).toEqual([{ kind: 'refused', message: expect.stringContaining('names no run') }])
  },
)

test('a named workflow opens the project it lies in', () => {
  const script = file('a b #%é/.claude/workflows/triage.workflow.ts')
  openings.pageListens()
  openings.pushWord(pathToFileURL(script).href, '/')
  expect(delivered).toEqual([
    { kind: 'project', project: expect.objectContaining({ path: join(top, 'a b #%é') }) },
    { kind: 'script', path: script },
  ])
  openings.pushWord(script, '/')
  expect(delivered.slice(2)).toEqual([{ kind: 'script', path: script }])
})

test('another script runs in the open project, or in the nearest when none is open', () => {
  mkdirSync(join(top, 'near', '.git'), { recursive: true })
  const script = file('near/deep/er/x.js')
  openings.pushWord('near/deep/er/x.js', top)
  expect(projects.current?.path).toBe(join(top, 'near'))
  mkdirSync(join(top, 'far'))
  projects.open(join(top, 'far'))
  openings.pushWord(script, '/')
  expect(projects.current?.path).toBe(join(top, 'far'))
})

test('a folder becomes the open project', () => {
  mkdirSync(join(top, 'p'))
  openings.pageListens()
  openings.pushWord('p', top)
  expect(delivered).toEqual([{ kind: 'project', project: expect.objectContaining({ path: join(top, 'p'), name: 'p', exists: true }) }])
})

test('a drop that is nothing of ours is explained by its name', () => {
  expect(sortPaths([file('notes.pdf')])).toEqual({ kind: 'refused', message: expect.stringContaining("“notes.pdf” isn't a") })
  expect(sortPaths([file('a.js'), file('b.js'), file('c.js')])).toEqual({
    kind: 'refused',
    message: expect.stringContaining('3 files at once'),
  })
  expect(sortPaths([join(top, 'gone.js')])).toEqual({ kind: 'refused', message: expect.stringContaining("“gone.js” isn't there") })
  expect(sortPaths([])).toMatchObject({ kind: 'refused' })
})

test('switches and the app’s own folder are no words to open', () => {
  expect(wordsToOpen(['/electron', '--no-sandbox', '/app', '--x=1', 'a.js', '/app'], '/app')).toEqual(['a.js', '/app'])
  expect(wordsToOpen(['/opt/Reprise/reprise', 'a.js'], null)).toEqual(['a.js'])
})
