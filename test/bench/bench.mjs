/**
 * `npm run bench`: our engine against the yardstick and this machine's limits; `npm run bench:peers`: and against others, side by
 * side. Writes test/bench/out/<date>.json and .md, and prints the table.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildOurs } from './build.mjs'
import { GOALS } from './goals.mjs'
import { findPeers } from './peers.mjs'
import { stopPostgres } from './postgres.mjs'
import { machine, table } from './report.mjs'

const { values } = parseArgs({
  options: {
    peers: { type: 'boolean', default: false },
    /** A comma-separated choice of peers, and of goals. */
    only: { type: 'string', default: '' },
    goals: { type: 'string', default: '' },
    reps: { type: 'string', default: '3' },
    kills: { type: 'string', default: '25' },
    /** The app's windows too. */
    app: { type: 'boolean', default: false },
    /** Hardly any steps: shows that everything runs, measures nothing. */
    tiny: { type: 'boolean', default: false },
    out: { type: 'string', default: path.join(import.meta.dirname, 'out') },
  },
})

const FULL = {
  seq: 400,
  par: 3200,
  os: 1500,
  growth: [1000, 10_000],
  resume: 10_000,
  replay: [2000, 10_000],
  runs: 10_000,
  kills: Number(values.kills),
}
const TINY = { seq: 16, par: 32, os: 16, growth: [16, 32], resume: 32, replay: [16, 32], runs: 60, kills: 1 }

const choice = (text) => text.split(',').filter((word) => word !== '')
const chosen = choice(values.goals).map(Number)
const reps = values.tiny ? 1 : Number(values.reps)
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'reprise-bench-'))
let folders = 0

const began = performance.now()
try {
  const built = await buildOurs()
  const context = {
    ...{ built, reps, sizes: values.tiny ? TINY : FULL, isTiny: values.tiny, app: values.app },
    peers: values.peers ? await findPeers(choice(values.only)) : [],
    /** A new folder for one run of one engine. */
    folder: (name) => path.join(work, `${name}-${folders++}`),
    say: (line) => process.stderr.write(`${line}\n`),
  }
  const results = []
  const report = { date: new Date().toISOString(), machine: machine(), reps, seconds: 0, peers: context.peers, results }
  const name = path.join(values.out, `${report.date.slice(0, 19).replaceAll(':', '-')}${values.peers ? '-peers' : ''}`)
  fs.mkdirSync(values.out, { recursive: true })
  for (const goal of GOALS) {
    if (chosen.length > 0 && !chosen.some((number) => goal.numbers.includes(number))) continue
    context.say(`${goal.numbers.join(', ')}: ${goal.title}`)
    try {
      results.push(...(await goal.measure(context)))
    } catch (error) {
      results.push({ goal: goal.numbers[0], what: goal.title, skipped: error instanceof Error ? error.message : String(error) })
      process.exitCode = 1
    }
    for (const used of fs.readdirSync(work)) fs.rmSync(path.join(work, used), { recursive: true, force: true })
    // After each goal, so that a run which is broken off has told what it saw.
    Object.assign(report, { seconds: Math.round((performance.now() - began) / 1000), machine: machine() })
    fs.writeFileSync(`${name}.json`, `${JSON.stringify(report, null, 2)}\n`)
    fs.writeFileSync(`${name}.md`, table(report))
  }
  process.stdout.write(table(report))
  context.say(`\n${name}.json`)
} finally {
  stopPostgres()
  fs.rmSync(work, { recursive: true, force: true })
}
