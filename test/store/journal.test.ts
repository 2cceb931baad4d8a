import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Disk } from '../../main/store/disk.ts'
import { nodeDisk } from '../../main/store/disk.ts'
import { decodeRecord, encodeRecord } from '../../main/store/journal-format.ts'
import { currentOwner } from '../../main/store/owner.ts'
import { JournalReader, readJournal } from '../../main/store/read-journal.ts'
import { openStore } from '../../main/store/run-store.ts'
import { canonicalJson } from '../../shared/json.ts'
import type { JournalRecord } from '../../shared/run/record.ts'
import {
  attempt,
  call,
  completed,
  deadOwner,
  fileOf,
  newRequestId,
  newRun,
  opened,
  result,
  saidBy,
  started,
  startedRun,
  tempFolder,
} from './run-fixtures.ts'

function read(bytes: Buffer, cuts: number[] = []): JournalReader {
  const reader = new JournalReader()
  let from = 0
  for (const cut of [...cuts.filter((c) => c <= bytes.length).sort((a, b) => a - b), bytes.length]) {
    reader.push(bytes.subarray(from, cut))
    from = cut
  }
  reader.settle()
  return reader
}

/** A journal with answers in several alphabets, as bytes and records. */
function sample(): { bytes: Buffer; records: JournalRecord[] } {
  const owner = currentOwner()
  const first: JournalRecord = {
    t: 'attempt',
    attempt: 1,
    token: 'a',
    owner,
    script: 's',
    engine: '1',
    policy: 'content',
    backend: null,
    n: 1,
    at: 1,
  }
  const answers = ['plain', 'Grüße – 日本語 🎉', 'a "quoted" \\ line\nand another', '{"v":2,"n":9,"t":"result"}']
  const calls = answers.flatMap((answer, i) => [call(i + 1), started(i + 1), result(i + 1, answer)])
  const records = [first, ...[...calls, completed()].map((record, i): JournalRecord => ({ ...record, n: i + 2, at: i }))]
  return { bytes: Buffer.from(records.map((record) => `${encodeRecord(record)}\n`).join('')), records }
}

describe('a journal line', () => {
  test('has its members in the documented order and a checksum as the last one', () => {
    const line = encodeRecord({
      backend: null,
      tries: 1,
      ms: 2,
      cost: null,
      usage: { inputTokens: 1, outputTokens: 2 },
      result: { kind: 'skipped' },
      attempt: 1,
      call: 3,
      t: 'result',
      at: 5,
      n: 4,
    })
    expect(line).toBe(
      '{"v":2,"n":4,"at":5,"t":"result","call":3,"attempt":1,"result":{"kind":"skipped"},"usage":{"inputTokens":1,"outputTokens":2},"cost":null,"ms":2,"tries":1,"backend":null,"crc":"' +
        `${line.slice(-10, -2)}"}`,
    )
    expect(line).toMatch(/"crc":"[0-9a-f]{8}"\}$/)
  })

  test('comes back as written', () => {
    for (const record of sample().records) {
      expect(decodeRecord(Buffer.from(encodeRecord(record)))).toEqual({ ok: true, record })
    }
  })

  test('with any one byte changed is refused', () => {
    const line = Buffer.from(encodeRecord({ ...result(1, 'Grüße'), n: 1, at: 1 }))
    for (let at = 0; at < line.length; at++) {
      const changed = Buffer.from(line)
      changed[at] = (changed[at] ?? 0) ^ 0x01
      expect(decodeRecord(changed).ok, `byte ${at}`).toBe(false)
    }
  })

  test('of a newer version is refused as newer', () => {
    const open = '{"v":3,"n":1,"at":1,"t":"result"'
    const crc = crc32(open).toString(16).padStart(8, '0')
    expect(decodeRecord(Buffer.from(`${open},"crc":"${crc}"}`))).toMatchObject({ ok: false, newer: true })
  })
})

describe('reading a journal', () => {
  test('R4: one cut in the middle of a character loses that line only', () => {
    const { bytes, records } = sample()
    const inside = bytes.indexOf(Buffer.from('🎉')) + 2
    const { records: kept, cut } = read(bytes.subarray(0, inside))
    expect(kept).toEqual(records.slice(0, 6))
    expect(cut?.reason).toBe('is cut off')
  })

  test('R4: 300 NULs in the middle lose nothing on either side', () => {
    const { bytes, records } = sample()
    const afterLine = bytes.indexOf(0x0a, bytes.length / 2) + 1
    const nuls = Buffer.alloc(300)
    const reader = read(Buffer.concat([bytes.subarray(0, afterLine), nuls, bytes.subarray(afterLine)]))
    expect(reader.records).toEqual(records)
    expect(reader.bad.map((bad) => bad.reason)).toEqual(['holds NUL bytes'])
  })

  test('R4: a last line without its newline counts', () => {
    const { bytes, records } = sample()
    const reader = read(bytes.subarray(0, -1))
    expect(reader.records).toEqual(records)
    expect(reader.cut).toBeNull()
  })

  test('a damaged line is named by its place, and good lines on both sides count', () => {
    const { bytes, records } = sample()
    const damaged = Buffer.from(bytes)
    const third = bytes.indexOf(Buffer.from('"call":1,"attempt":1,"generation"'))
    damaged[third + 8] = 0x39
    const reader = read(damaged)
    expect(reader.records).toEqual(records.filter((_, place) => place !== 2))
    expect(reader.bad).toMatchObject([{ line: 3, reason: 'does not match its checksum' }])
  })

  test('the pieces in which the bytes arrive make no difference', () => {
    const { bytes, records } = sample()
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
        expect(read(bytes, cuts).records).toEqual(records)
      }),
      { numRuns: 50 },
    )
  })

  test('P2: any prefix gives exactly the whole lines in it', () => {
    const { bytes, records } = sample()
    for (let length = 0; length <= bytes.length; length++) {
      const text = bytes.subarray(0, length)
      const lines = text.filter((byte) => byte === 0x0a).length
      const whole = bytes[length] === 0x0a ? lines + 1 : lines
      expect(read(text).records).toEqual(records.slice(0, whole))
    }
  })

  test('P2: no damage of any kind makes it throw or invents a record', () => {
    const { bytes, records } = sample()
    const known = new Set(records.map((record) => canonicalJson(record)))
    const damage = fc.array(
      fc.record({
        at: fc.nat(bytes.length),
        remove: fc.nat(200),
        insert: fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(new Uint8Array(50)), fc.constant(Uint8Array.of(10))),
      }),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(damage, (blows) => {
        let broken: Buffer = bytes
        for (const { at, remove, insert } of blows) broken = Buffer.concat([broken.subarray(0, at), insert, broken.subarray(at + remove)])
        for (const record of read(broken).records) expect(known).toContain(canonicalJson(record))
      }),
      { numRuns: 300 },
    )
  })

  test('P2: bytes that never were a journal give no record', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(read(Buffer.from(bytes)).records).toEqual([])
      }),
    )
  })
})

describe('two owners in one journal', () => {
  const line = (record: JournalRecord): string => `${encodeRecord(record)}\n`
  const claim = (number: number, token: string, n: number): JournalRecord => ({
    t: 'attempt',
    attempt: number,
    token,
    owner: currentOwner(),
    script: 's',
    engine: '1',
    policy: 'content',
    backend: null,
    n,
    at: n,
  })

  test('the first record of an attempt owns it', () => {
    const reader = read(Buffer.from(line(claim(1, 'a', 1)) + line(claim(2, 'b', 2)) + line(claim(2, 'c', 2))))
    expect(reader.owner?.token).toBe('b')
    expect(saidBy(reader.records)).toEqual(['attempt 1', 'attempt 2'])
  })

  test('what an earlier owner declares, starts or ends after it lost the run is ignored; its paid results count', () => {
    const late = [
      { ...call(2), attempt: 1, n: 5, at: 5 },
      { ...started(1, 1), n: 6, at: 6 },
      { ...result(1, 'paid', 1), n: 7, at: 7 },
      { ...result(2, 'never declared', 1), n: 8, at: 8 },
      { ...completed(1), n: 9, at: 9 },
    ] satisfies JournalRecord[]
    const before = line(claim(1, 'a', 1)) + line({ ...call(1), attempt: 1, n: 2, at: 2 }) + line(claim(2, 'b', 3))
    const reader = read(Buffer.from(before + late.map(line).join('')))
    expect(saidBy(reader.records)).toEqual(['attempt 1', 'call 1', 'attempt 2', 'result 1'])
    expect(reader.end).toBeNull()
  })

  test('a result of the earlier owner is not given to a call of the same number that the new owner declared', () => {
    const reader = read(
      Buffer.from(
        line(claim(1, 'a', 1)) +
          line(claim(2, 'b', 2)) +
          line({ ...call(7, 'new'), attempt: 2, n: 3, at: 3 }) +
          line({ ...result(7, 'old', 1), n: 4, at: 4 }),
      ),
    )
    expect(saidBy(reader.records)).toEqual(['attempt 1', 'attempt 2', 'call 7'])
  })

  test('a batch that was written twice after a failure counts once', () => {
    const batch = line({ ...call(1), attempt: 1, n: 2, at: 2 }) + line({ ...result(1), n: 3, at: 3 })
    const reader = read(Buffer.from(line(claim(1, 'a', 1)) + batch + batch))
    expect(saidBy(reader.records)).toEqual(['attempt 1', 'call 1', 'result 1'])
  })
})

describe('appending', () => {
  test('R4: a torn tail, then a resume, an append and a reload: every good record is there', async () => {
    const { project, store, runId, run } = await startedRun(deadOwner())
    await run.append([call(1), started(1), result(1)])
    const path = fileOf(project, runId, 'journal.jsonl')
    const torn = encodeRecord({ ...result(2, 'verloren 🎉'), n: 9, at: 9 })
    appendFileSync(path, Buffer.from(torn).subarray(0, -20))
    const second = opened(await store.open(runId, attempt()))
    await second.append([call(3), result(3, 'after', 2)])
    const { records, badLines } = await store.read(runId)
    expect(saidBy(records)).toEqual(['attempt 1', 'call 1', 'started 1', 'result 1', 'attempt 2', 'call 3', 'result 3'])
    expect(badLines).toMatchObject([{ line: 5, path }])
  })

  test('R4: a last line that lacked only its newline is whole again after a resume', async () => {
    const { project, store, runId, run } = await startedRun(deadOwner())
    await run.append([call(1), result(1)])
    const path = fileOf(project, runId, 'journal.jsonl')
    writeFileSync(path, readFileSync(path).subarray(0, -1))
    opened(await store.open(runId, attempt()))
    const { records, badLines } = await store.read(runId)
    expect(saidBy(records)).toEqual(['attempt 1', 'call 1', 'result 1', 'attempt 2'])
    expect(badLines).toEqual([])
  })

  test('bytes of a bad line are kept beside the journal, once', async () => {
    const { project, store, runId } = await startedRun(deadOwner())
    appendFileSync(fileOf(project, runId, 'journal.jsonl'), 'half a li')
    opened(await store.open(runId, attempt({ owner: deadOwner() })))
    opened(await store.open(runId, attempt({ owner: deadOwner() })))
    const kept = readFileSync(fileOf(project, runId, 'journal.bad.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text))
    expect(kept).toMatchObject([{ line: 2, base64: Buffer.from('half a li').toString('base64') }])
  })

  test('appends that wait together come back in order with one write and one sync', async () => {
    let writes = 0
    let syncs = 0
    const disk: Disk = {
      ...nodeDisk,
      write: (fd, bytes, offset) => {
        writes += 1
        return nodeDisk.write(fd, bytes, offset)
      },
      sync: (fd) => {
        syncs += 1
        nodeDisk.sync(fd)
      },
    }
    const project = tempFolder()
    const store = openStore(project, { disk })
    const { runId, token } = await store.create(newRun(project), newRequestId(), currentOwner())
    const run = await store.adopt(runId, token)
    writes = 0
    syncs = 0
    const written = await Promise.all([1, 2, 3, 4].map((number) => run.append([call(number), result(number)])))
    expect([writes, syncs]).toEqual([1, 1])
    expect(written.flat().map((record) => record.n)).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
    expect(saidBy((await store.read(runId)).records)).toEqual(['attempt 1', ...[1, 2, 3, 4].flatMap((n) => [`call ${n}`, `result ${n}`])])
  })

  test('calls and starts are synced only when asked for; results always, unless durability is left to the system', async () => {
    for (const [durability, expected] of [
      ['full', 2],
      ['os', 0],
    ] as const) {
      let syncs = 0
      const disk: Disk = {
        ...nodeDisk,
        sync: (fd) => {
          syncs += 1
          nodeDisk.sync(fd)
        },
      }
      const project = tempFolder()
      const store = openStore(project, { disk, durability })
      const { runId, token } = await store.create(newRun(project), newRequestId(), currentOwner())
      const run = await store.adopt(runId, token)
      syncs = 0
      await run.append([call(1)])
      await run.append([started(1)], { sync: true })
      await run.append([result(1)])
      expect(syncs, durability).toBe(expected)
    }
  })

  test('a full disk is told as such, nothing of the batch counts as saved, and the retry saves it once', async () => {
    let full = false
    let fits = 0
    const disk: Disk = {
      ...nodeDisk,
      write: (fd, bytes, offset) => {
        if (!full) return nodeDisk.write(fd, bytes, offset)
        if (offset === 0) return nodeDisk.write(fd, bytes.subarray(0, fits), 0)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
      },
    }
    const project = tempFolder()
    const store = openStore(project, { disk })
    const { runId, token } = await store.create(newRun(project), newRequestId(), currentOwner())
    const run = await store.adopt(runId, token)
    await run.append([call(1), call(2), call(3)])
    full = true
    const batch = [result(1), result(2), result(3)]
    // First a few bytes of a line fit, then a line and a half.
    for (const room of [10, 350]) {
      fits = room
      await expect(run.append(batch)).rejects.toMatchObject({ code: 'disk-full' })
    }
    full = false
    await run.append(batch)
    await run.append([completed()])
    const { records, view } = await store.read(runId)
    expect(saidBy(records)).toEqual(['attempt 1', 'call 1', 'call 2', 'call 3', 'result 1', 'result 2', 'result 3', 'end 1'])
    expect(view.calls.map((c) => c.status)).toEqual(['ok', 'ok', 'ok'])
  })

  test('a lost permission is told as such', async () => {
    const disk: Disk = {
      ...nodeDisk,
      write: () => {
        throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
      },
    }
    const { project, runId, store } = await startedRun(deadOwner())
    await expect(openStore(project, { disk }).open(runId, attempt())).rejects.toMatchObject({ code: 'no-permission' })
    expect(saidBy((await store.read(runId)).records)).toEqual(['attempt 1'])
  })

  test('an owner that lost the run is told before it writes, and its call is not taken for one of the new owner', async () => {
    const { store, runId, run } = await startedRun(deadOwner())
    await run.append([call(1)])
    const second = opened(await store.open(runId, attempt()))
    await expect(run.append([call(2, 'zombie')])).rejects.toMatchObject({ code: 'fenced' })
    await expect(run.append([result(1)])).rejects.toMatchObject({ code: 'fenced' })
    await second.append([call(2, 'mine')])
    expect(saidBy((await store.read(runId)).records)).toEqual(['attempt 1', 'call 1', 'attempt 2', 'call 2'])
  })

  test('a run that was deleted meanwhile does not take results into nowhere', async () => {
    const { project, run, runId } = await startedRun()
    rmSync(fileOf(project, runId, ''), { recursive: true })
    await expect(run.append([call(1), result(1)])).rejects.toMatchObject({ code: 'journal-missing' })
  })

  test('a missing journal is a refusal, never a fresh start', async () => {
    const { project, store, runId } = await startedRun(deadOwner())
    rmSync(fileOf(project, runId, 'journal.jsonl'))
    await expect(store.open(runId, attempt())).rejects.toMatchObject({ code: 'journal-missing' })
    await expect(store.read(runId)).rejects.toMatchObject({ code: 'journal-missing' })
    expect(() => readJournal(fileOf(project, runId, 'journal.jsonl'))).toThrow('journal')
  })
})
