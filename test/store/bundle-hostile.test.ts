import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import type { Zippable } from 'fflate'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Manifest } from '../../main/store/bundle-format.ts'
import { importRun } from '../../main/store/bundle-import.ts'
import { encodeRecord } from '../../main/store/journal-format.ts'
import { currentOwner } from '../../main/store/owner.ts'
import { openStore } from '../../main/store/run-store.ts'
import { ERRORS } from '../../shared/errors.ts'
import { bundleOf, type Finished, finishedRun, forged, guarded, inRuns, patched } from './bundle-fixtures.ts'
import { newRunId, tempFolder } from './run-fixtures.ts'

let run: Finished
let good: string
beforeEach(async () => {
  run = await finishedRun()
  good = bundleOf(run)
})

/** Tries the file: the message of the refusal, after which there is no trace of it. */
function refused(path: string, code = 'bundle-invalid'): string {
  const { project, around } = guarded()
  let message = ''
  try {
    importRun(project, path)
  } catch (error) {
    expect(error).toMatchObject({ code })
    message = (error as Error).message
  }
  expect(message).not.toBe('')
  expect(around()).toEqual(['project'])
  expect(inRuns(project).filter((name) => !['.gitignore', 'numbers', 'requests'].includes(name))).toEqual([])
  return message
}

const put =
  (name: string, file: Zippable[string] = Buffer.from('x')) =>
  (files: Zippable): void => {
    files[name] = file
  }

test.each([
  '../evil',
  'artifacts/../../evil',
  '/tmp/evil',
  'C:/evil',
  'artifacts\\..\\..\\evil',
  'artifacts/..',
  '..',
  '\\\\host\\share\\x',
])('a file named %j never leaves its folder', (name) => {
  expect(refused(forged(good, put(name)))).toContain(JSON.stringify(name))
})

test.each([
  'children.jsonl',
  'commands/01.json',
  'evil.js',
  'source/evil.js',
  'payload/x',
  'artifacts/',
  'artifacts/nul',
  'artifacts/a\u0000b',
  'artifacts/x.',
])('a file named %j is no part of a run', (name) => {
  expect(refused(forged(good, put(name)))).toContain('is not imported')
})

test('a link is refused', () => {
  const link: Zippable[string] = [Buffer.from('/etc/passwd'), { os: 3, attrs: 0o120777 << 16 }]
  expect(refused(forged(good, put('artifacts/link', link)))).toContain('is a link')
})

test('two files that differ in case alone are refused', () => {
  const twice = forged(good, (files) => {
    put('artifacts/a')(files)
    put('artifacts/A')(files)
  })
  expect(refused(twice)).toContain('is in it twice')
})

test('a file that is also a folder is refused', () => {
  const both = forged(good, (files) => {
    put('artifacts/a')(files)
    put('artifacts/a/b')(files)
  })
  expect(refused(both)).toContain("can't be a file here")
})

describe('a file made to fill the disk', () => {
  test('is refused by what it says of itself', () => {
    const path = forged(good, put('artifacts/large'))
    patched(path, 'artifacts/large', (bytes, row) => bytes.writeUInt32LE(0x90000000, row + 24))
    expect(refused(path)).toContain('more than 2 GB')
  })

  test('is refused while it unpacks to more than it said', () => {
    const path = forged(good, put('artifacts/large', Buffer.alloc(1_000_000)))
    patched(path, 'artifacts/large', (bytes, row) => bytes.writeUInt32LE(10, row + 24))
    expect(refused(path)).toContain('larger than the file says')
  })

  test('is refused when it grows like nothing that a run records', () => {
    expect(refused(forged(good, put('artifacts/zeros', Buffer.alloc(70 * 1024 ** 2))))).toContain('far more than a run has')
  })
})

describe('a damaged file', () => {
  test('cut anywhere is refused', () => {
    const bytes = readFileSync(good)
    for (let part = 0; part < 20; part++) {
      const path = join(tempFolder(), 'cut.reprise')
      writeFileSync(path, bytes.subarray(0, Math.floor((bytes.length * part) / 20)))
      refused(path)
    }
  })

  test('with another byte in any of its files is refused', () => {
    const bytes = readFileSync(good)
    // Beyond its first header, and before the table of contents: the bytes of its files and their headers.
    for (let at = 60; at < bytes.length * 0.7; at += 97) {
      const path = join(tempFolder(), 'changed.reprise')
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0xff
      writeFileSync(path, changed)
      const { project } = guarded()
      try {
        importRun(project, path)
      } catch (error) {
        expect(error).toMatchObject({ code: 'bundle-invalid' })
        continue
      }
      // Nobody reads the times and sums in a zip's own headers; then the run is the one that was exported.
      expect(readFileSync(join(project, '.claude/workflow-runs', run.runId, 'journal.jsonl'), 'utf8')).toContain('answer 1')
    }
  })

  test('whose contents differ from its sums is refused', () => {
    const path = forged(good, put('artifacts/a'), ({ files }) => {
      const last = files.at(-1)
      if (last !== undefined) last.sha256 = '0'.repeat(64)
    })
    expect(refused(path)).toContain('was changed since the export')
  })

  test('that lacks its journal, its manifest or a listed file is refused', () => {
    expect(refused(forged(good, (files) => delete files['journal.jsonl']))).toContain('"journal.jsonl" is missing')
    const listed = forged(
      good,
      () => undefined,
      ({ files }) => files.push({ name: 'artifacts/gone', bytes: 1, sha256: '0'.repeat(64) }),
    )
    expect(refused(listed)).toContain('"artifacts/gone" is missing')
    const unlisted = forged(good, put('artifacts/extra'), (sums) => {
      sums.files = sums.files.filter(({ name }) => name !== 'artifacts/extra')
    })
    expect(refused(unlisted)).toContain('"artifacts/extra" is not in its manifest')
  })

  test('that is something else is refused, and so is a folder', () => {
    const path = join(tempFolder(), 'notes.txt')
    writeFileSync(path, 'not a zip')
    expect(refused(path)).toContain('is no export of a run')
    refused(tempFolder(), 'file-unreadable')
    refused(join(tempFolder(), 'gone.reprise'), 'file-missing')
  })
})

test('a newer format and a newer run ask for an update', () => {
  const manifest = (change: (sums: Manifest) => void) => forged(good, () => undefined, change)
  refused(
    manifest((sums) => {
      sums.format = 2
    }),
    'newer-format',
  )
  const change = (name: string, edit: (text: string) => string) =>
    forged(good, (files) => put(name, Buffer.from(edit(Buffer.from(files[name] as Uint8Array).toString())))(files))
  refused(
    change('run.json', (text) => text.replace('"schemaVersion": 1', '"schemaVersion": 9')),
    'newer-format',
  )
})

test('a run that a newer version went on with asks for an update', () => {
  const open = '{"v":3,"n":9,"at":1,"t":"end"'
  const line = `\n${open},"crc":"${crc32(open).toString(16).padStart(8, '0')}"}\n`
  const newer = forged(good, (files) =>
    put('journal.jsonl', Buffer.concat([files['journal.jsonl'] as Uint8Array, Buffer.from(line)]))(files),
  )
  refused(newer, 'newer-format')
})

test('a run that names itself otherwise than its manifest is refused', () => {
  const other = forged(
    good,
    () => undefined,
    (sums) => {
      sums.runId = newRunId()
    },
  )
  expect(refused(other)).toContain('names another run')
})

test('a run that claims a living owner here is refused', () => {
  const owned = forged(good, (files) => {
    const record = {
      t: 'attempt',
      n: 9,
      at: 9,
      attempt: 2,
      token: 't',
      owner: currentOwner(),
      script: 's',
      engine: '1',
      policy: 'content',
      backend: null,
    } as const
    const journal = Buffer.concat([Buffer.from(files['journal.jsonl'] as Uint8Array), Buffer.from(`\n${encodeRecord(record)}\n`)])
    put('journal.jsonl', journal)(files)
  })
  expect(refused(owned)).toContain('a process is at work on it')
})

test('the view that a file brings along is not believed', async () => {
  const lying = forged(good, (files) => {
    const text = Buffer.from(files['state.json'] as Uint8Array).toString()
    put('state.json', Buffer.from(text.replaceAll('"title":"review"', '"title":"lies"')))(files)
  })
  const project = tempFolder()
  importRun(project, lying)
  expect((await openStore(project).read(run.runId)).view.title).toBe('review')
  expect(existsSync(join(project, '.claude/workflow-runs', run.runId, 'state.json'))).toBe(true)
})

test('a good file with any bytes changed, cut or put in, and bytes that never were one, are taken or refused by name (P4)', () => {
  const whole = readFileSync(good)
  const place = fc.nat({ max: whole.length - 1 })
  const harmed = fc.oneof(
    fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(([at, by]) => whole.with(at, (whole[at] ?? 0) ^ by)),
    place.map((at) => whole.subarray(0, at)),
    fc
      .tuple(place, fc.uint8Array({ minLength: 1, maxLength: 64 }))
      .map(([at, bytes]) => Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at)])),
    fc.tuple(place, place).map(([a, b]) => Buffer.concat([whole.subarray(0, Math.min(a, b)), whole.subarray(Math.max(a, b))])),
    fc.uint8Array({ maxLength: 2000 }),
  )
  const path = join(tempFolder(), 'harmed.reprise')
  const { project, around } = guarded()
  fc.assert(
    fc.property(harmed, (bytes) => {
      writeFileSync(path, bytes)
      const before = inRuns(project)
      try {
        importRun(project, path)
      } catch (error) {
        const code = (error as { code?: string }).code ?? String(error)
        expect(Object.keys(ERRORS)).toContain(code)
        expect(code).not.toBe('internal')
        expect(inRuns(project).filter((name) => !before.includes(name) && name.length === 26)).toEqual([])
      }
      expect(around()).toEqual(['project'])
    }),
    { numRuns: Number(process.env['REPRISE_SEEDS'] ?? 150), endOnFailure: true },
  )
}, 120_000)
