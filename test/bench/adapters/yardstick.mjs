/**
 * The least that an engine of this kind does: a journal of JSON lines keyed by a hash of what is asked. BENCH_DURABILITY:
 * `sync` (each line synced), `group` (one sync for all that wait), `none`.
 */
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { asked, groups, say, step } from './step.mjs'

const durability = process.env.BENCH_DURABILITY ?? 'sync'
const journal = path.join(asked.dir, 'journal.jsonl')
const saved = new Map()
say('ready')
say('start')
if (asked.mode === 'resume') {
  for (const line of fs.readFileSync(journal, 'utf8').split('\n')) {
    if (line === '') continue
    const { key, result } = JSON.parse(line)
    saved.set(key, result)
  }
}
const fd = fs.openSync(journal, 'a')
const waiting = []

function flush() {
  const batch = waiting.splice(0)
  fs.writeSync(fd, batch.map(({ line }) => line).join(''))
  fs.fdatasyncSync(fd)
  for (const { saved } of batch) saved()
}

function append(line) {
  if (durability === 'group') {
    return new Promise((saved) => {
      if (waiting.push({ line, saved }) === 1) setImmediate(flush)
    })
  }
  fs.writeSync(fd, line)
  if (durability === 'sync') fs.fdatasyncSync(fd)
}

async function durable(index) {
  const key = crypto.createHash('sha256').update(`step ${index}`).digest('hex')
  if (saved.has(key)) return saved.get(key)
  const result = step(index)
  await append(`${JSON.stringify({ seq: index, key, result })}\n`)
  return result
}

for (const group of groups()) await Promise.all(group.map(durable))
say('done', { bytes: fs.statSync(journal).size })
