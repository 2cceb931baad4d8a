/** What is measured, goal by goal. Yardstick, ours and each peer run back to back, and only ratios of such neighbours are compared. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root } from '../../tools/sources.mjs'
import { cli } from './build.mjs'
import { coldStart } from './cold-start.mjs'
import { bareNode, parseJournal, plainAppend, sha256, syncedAppend } from './limits.mjs'
import { median, shown } from './report.mjs'
import { perStep, runAdapter } from './run-adapter.mjs'

const us = (value) => `${shown(value)} µs`
const ms = (value) => `${shown(value)} ms`
const mb = (value) => `${shown(value)} MB`

/** @param {'full' | 'os'} durability */
export function ours({ built }, durability = 'full') {
  return { command: [process.execPath, built('reprise')], env: { BENCH_CLI: cli, BENCH_DURABILITY: durability } }
}

/** @param {'sync' | 'group' | 'none'} durability */
function yardstick(durability) {
  return { command: [process.execPath, path.join(import.meta.dirname, 'adapters/yardstick.mjs')], env: { BENCH_DURABILITY: durability } }
}

const journalOf = (dir) => path.join(dir, '.claude/workflow-runs/bench/journal.jsonl')
const ready = (context) => context.peers.filter((peer) => peer.skipped === undefined)

/** The same per-step measure for the limit, the yardstick, ours and the peers, `reps` times round. */
async function rounds(context, { order, n, durability, yard, limit, only = null }) {
  const seen = { limit: [], yard: [], ours: [], peers: new Map(), ratioLimit: [], ratioYard: [] }
  for (let rep = 0; rep < context.reps; rep++) {
    const dir = context.folder('limit')
    fs.mkdirSync(dir)
    const floor = limit(dir)
    const least = perStep(await runAdapter(yardstick(yard), { order, n, dir: context.folder('yardstick') }))
    const own = await runAdapter(ours(context, durability), { order, n, dir: context.folder('reprise') })
    const each = perStep(own)
    seen.limit.push(floor)
    seen.yard.push(least)
    seen.ours.push(each)
    seen.ratioLimit.push(each / floor)
    seen.ratioYard.push(each / least)
    seen.bytes = own.done.bytes / n
    for (const peer of ready(context).filter(({ name }) => only === null || only.includes(name))) {
      const known = seen.peers.get(peer.name) ?? { peer, each: [], ratio: [], bytes: null, failed: null }
      seen.peers.set(peer.name, known)
      if (known.failed !== null) continue
      try {
        const count = Math.min(n, peer.steps[order])
        const dir = context.folder(peer.name)
        const ran = await runAdapter(peer.adapter, { order, n: count, dir })
        known.each.push(perStep(ran))
        known.ratio.push(perStep(ran) / each)
        known.bytes = (ran.done.bytes ?? sizeOf(dir)) / count
      } catch (error) {
        known.failed = error instanceof Error ? error.message : String(error)
      }
    }
  }
  return seen
}

/** Bytes below a folder, without the log of steps. */
function sizeOf(dir) {
  let bytes = 0
  for (const entry of fs.readdirSync(dir, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && entry.name !== 'steps.log') bytes += fs.statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size
  }
  return bytes
}

function stepRows(goal, what, seen, { limitName, most, least }) {
  const own = us(median(seen.ours))
  const rows = [
    { goal, what, ours: own, than: `${limitName} ${us(median(seen.limit))}`, ratio: median(seen.ratioLimit), most },
    { goal, what, ours: own, than: `yardstick ${us(median(seen.yard))}`, ratio: median(seen.ratioYard) },
  ]
  for (const { peer, each, ratio, failed } of seen.peers.values()) {
    if (failed !== null) rows.push({ goal, what: `${what}: ${peer.title}`, skipped: failed })
    else rows.push({ goal, what, ours: own, than: `${peer.title} ${us(median(each))}`, ratio: median(ratio), least: least[peer.name] })
  }
  return rows
}

/** The bytes are those of the runs one after the other. */
function byteRows(seen) {
  const payload = JSON.stringify({ ok: true, i: 100, out: 'y'.repeat(170) }).length
  const own = `${Math.round(seen.bytes)} bytes`
  const rows = [
    {
      goal: 8,
      what: 'journal a call',
      ours: own,
      than: `payload + key ${payload + 64} bytes`,
      ratio: seen.bytes / (payload + 64),
      most: 1.5,
    },
  ]
  const least = { dbos: 1 / 0.75, langgraph: 10 }
  for (const { peer, bytes } of seen.peers.values()) {
    if (bytes === null) continue
    rows.push({
      goal: 8,
      what: 'journal a call',
      ours: own,
      than: `${peer.title} ${Math.round(bytes)} bytes`,
      ratio: bytes / seen.bytes,
      least: least[peer.name],
    })
  }
  return rows
}

async function sequential(context) {
  const seen = await rounds(context, {
    order: 'seq',
    n: context.sizes.seq,
    durability: 'full',
    yard: 'sync',
    limit: (dir) => syncedAppend(dir, 200),
  })
  const least = { restate: 4, dbos: 4, langgraph: 1.5 }
  return [...stepRows(1, 'one call after the other', seen, { limitName: 'F', most: 2, least }), ...byteRows(seen)]
}

async function parallel(context) {
  const seen = await rounds(context, {
    order: 'par',
    n: context.sizes.par,
    durability: 'full',
    yard: 'group',
    limit: (dir) => syncedAppend(dir, 200),
  })
  return stepRows(2, 'a call of 16 at once', seen, { limitName: 'F', most: 0.4, least: { dbos: 20, langgraph: 8, restate: 6 } })
}

async function unsynced(context) {
  const seen = await rounds(context, {
    order: 'seq',
    n: context.sizes.os,
    durability: 'os',
    yard: 'none',
    limit: (dir) => plainAppend(dir, 20_000),
    only: ['langgraph'],
  })
  return stepRows(3, 'durability left to the system', seen, { limitName: 'W', most: 20, least: { langgraph: 20 } })
}

async function growth(context) {
  const [few = 0, many = 0] = context.sizes.growth
  const rows = []
  const ratio = []
  const memory = []
  const node = bareNode()
  for (let rep = 0; rep < context.reps; rep++) {
    const small = perStep(await runAdapter(ours(context), { order: 'par', n: few, dir: context.folder('few') }))
    const large = await runAdapter(ours(context), { order: 'par', n: many, dir: context.folder('many') })
    ratio.push(perStep(large) / small)
    memory.push(large.done.peakKb / 1024)
  }
  rows.push({ goal: 4, what: `time a call at ${many}`, ours: '', than: `at ${few}`, ratio: median(ratio), most: 1.15 })
  const own = median(memory)
  rows.push({
    goal: 9,
    what: `memory at ${many} calls`,
    ours: mb(own),
    than: `bare Node + 60 MB: ${mb(node.mb + 60)}`,
    ratio: own / (node.mb + 60),
    most: 1,
  })
  const restate = ready(context).find((peer) => peer.name === 'restate')
  if (restate !== undefined) {
    const { done } = await runAdapter(restate.adapter, {
      order: 'par',
      n: Math.min(many, restate.steps.resume),
      dir: context.folder('restate'),
    })
    const theirs = (done.peakKb + done.otherPeakKb) / 1024
    rows.push({
      goal: 9,
      what: `memory at ${many} calls`,
      ours: mb(own),
      than: `Restate ${mb(theirs)}`,
      ratio: theirs / own,
      least: 1 / 0.3,
    })
  }
  return rows
}

/** Killed half way, then: from the engine being up to the first call that was not there yet. */
async function firstNew(context, adapter, n, name) {
  const dir = context.folder(name)
  const killed = await runAdapter(adapter, { order: 'par', n, dir, killAt: Math.floor(n / 2) })
  const known = new Set(killed.steps.map((step) => step.index))
  const journal = journalOf(dir)
  const limit = fs.existsSync(journal) ? parseJournal(journal) : null
  const resumed = await runAdapter(adapter, { mode: 'resume', order: 'par', n, dir })
  const first = resumed.steps.find((step) => !known.has(step.index))
  return {
    limit,
    took: (first?.at ?? resumed.done.at) - resumed.ready.at,
    again: resumed.steps.filter((step) => known.has(step.index)).length,
  }
}

async function resume(context) {
  const n = context.sizes.resume
  const what = `resume of ${n}, half finished: ready to first new call`
  const own = []
  const peers = new Map()
  for (let rep = 0; rep < context.reps; rep++) {
    own.push(await firstNew(context, ours(context), n, 'reprise'))
    for (const peer of ready(context)) {
      const known = peers.get(peer.name) ?? { peer, took: [], failed: null }
      peers.set(peer.name, known)
      // A resume of the slow ones takes long and says the same each time.
      if (known.failed !== null || known.took.length > 0) continue
      try {
        known.took.push((await firstNew(context, peer.adapter, Math.min(n, peer.steps.resume), peer.name)).took)
      } catch (error) {
        known.failed = error instanceof Error ? error.message : String(error)
      }
    }
  }
  const took = median(own.map((one) => one.took))
  const rows = [
    {
      goal: 5,
      what,
      ours: ms(took),
      than: `J ${ms(median(own.map((one) => one.limit)))}`,
      ratio: median(own.map((one) => one.took / one.limit)),
      most: 3,
    },
  ]
  for (const { peer, took: theirs, failed } of peers.values()) {
    if (failed !== null) rows.push({ goal: 5, what: `${what}: ${peer.title}`, skipped: failed })
    else {
      const steps = Math.min(n, peer.steps.resume)
      rows.push({
        goal: 5,
        what,
        ours: ms(took),
        than: `${peer.title} ${ms(median(theirs))}${steps < n ? ` (of ${steps})` : ''}`,
        ratio: median(theirs) / took,
        least: peer.name === 'restate' ? 15 : undefined,
      })
    }
  }
  return rows
}

/** What each further call costs a replay of a run that is complete: from two lengths, so that the start of a run is left out. */
async function replay(context) {
  const [few = 0, many = 0] = context.sizes.replay
  const ratio = []
  const each = []
  const least = []
  for (let rep = 0; rep < context.reps; rep++) {
    const took = []
    let limit = 0
    for (const n of [few, many]) {
      const dir = context.folder('replay')
      await runAdapter(ours(context, 'os'), { order: 'par', n, dir }) // how the journal came about does not matter
      if (n === many) limit = (parseJournal(journalOf(dir)) * 1000) / n + sha256()
      const again = await runAdapter(ours(context), { mode: 'resume', order: 'par', n, dir })
      if (again.steps.length > 0) throw new Error(`a complete run started ${again.steps.length} calls again`)
      took.push(again.done.at - again.start.at)
    }
    const [short = 0, long = 0] = took
    const one = ((long - short) * 1000) / (many - few)
    each.push(one)
    least.push(limit)
    ratio.push(one / limit)
  }
  return [
    {
      goal: 6,
      what: 'a replayed call',
      ours: us(median(each)),
      than: `J a call + SHA-256 ${us(median(least))}`,
      ratio: median(ratio),
      most: 3,
    },
  ]
}

async function crashes(context) {
  const ran = spawnSync(process.execPath, [path.join(cli, 'reprise.mjs'), 'crash-test', '--kills', String(context.sizes.kills), '--json'], {
    encoding: 'utf8',
  })
  const figures = JSON.parse(ran.stdout)
  const faults = figures.acknowledgedLost + figures.undetected + figures.rerunOverLanes
  const own = `${figures.acknowledgedLost} lost, ${figures.undetected} undetected, ${figures.rerun} re-run`
  return [{ goal: 7, what: `${figures.kills} kills, 1 and 16 lanes`, ours: own, than: 'none', ratio: faults, most: 0 }]
}

async function start(context) {
  const runs = []
  for (let rep = 0; rep < Math.max(context.reps, context.isTiny ? 1 : 5); rep++) {
    const node = bareNode().ms
    runs.push({ node, ...(await coldStart(cli, context.folder('start'))) })
  }
  const at = (key) => median(runs.map((run) => run[key]))
  const against = (key) => median(runs.map((run) => run[key] / run.node))
  const than = `node -e 0: ${ms(at('node'))}`
  const rows = [
    { goal: 10, what: 'reprise run: process start to engine ready', ours: ms(at('readyMs')), than, ratio: against('readyMs'), most: 2 },
    { goal: 10, what: 'reprise run: process start to first call', ours: ms(at('callMs')), than, ratio: against('callMs'), most: 4 },
  ]
  const langgraph = ready(context).find((peer) => peer.name === 'langgraph')
  if (langgraph !== undefined) {
    const { ready: up, spawnedAt } = await runAdapter(langgraph.adapter, { order: 'seq', n: 16, dir: context.folder('langgraph') })
    rows.push({
      goal: 10,
      what: 'process start to engine ready',
      ours: ms(at('readyMs')),
      than: `LangGraph ${ms(up.at - spawnedAt)}`,
      ratio: (up.at - spawnedAt) / at('readyMs'),
      least: 4,
    })
  }
  return rows
}

async function history(context) {
  const project = context.folder('runs')
  const program = (name, ...words) => {
    const ran = spawnSync(process.execPath, [context.built(name), ...words], { encoding: 'utf8' })
    if (ran.status !== 0) throw new Error(ran.stderr.trim().split('\n').at(-1))
    return ran.stdout
  }
  fs.mkdirSync(project)
  program('make-runs', project, String(context.sizes.runs))
  const listed = []
  for (let rep = 0; rep < context.reps; rep++) {
    const { bareMs } = JSON.parse(program('list', project, 'bare'))
    listed.push({ bareMs, ...JSON.parse(program('list', project)) })
  }
  const own = median(listed.map((one) => one.listMs))
  const what = `first 50 of ${context.sizes.runs} runs`
  const rows = [
    {
      goal: 11,
      what,
      ours: ms(own),
      than: `the index through JSON.parse ${ms(median(listed.map((one) => one.bareMs)))}`,
      ratio: median(listed.map((one) => one.listMs / one.bareMs)),
      most: 2,
    },
  ]
  const dbos = ready(context).find((peer) => peer.name === 'dbos')
  if (dbos !== undefined) {
    const list = path.join(dbos.adapter.cwd, 'list.mjs')
    const ran = spawnSync(process.execPath, [list, String(context.sizes.runs), `list_${process.pid}`], {
      encoding: 'utf8',
      cwd: dbos.adapter.cwd,
      env: { ...process.env, ...dbos.adapter.env },
    })
    if (ran.status !== 0) rows.push({ goal: 11, what: `${what}: DBOS`, skipped: ran.stderr.trim().split('\n').at(-1) })
    else {
      const { listMs } = JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '')
      rows.push({ goal: 11, what, ours: ms(own), than: `${dbos.title} ${ms(listMs)}`, ratio: listMs / own, least: 1 })
    }
  }
  return rows
}

/** Needs a screen and Electron, so it is asked for by `--app`. The app's own bench writes what it saw to a file. */
async function app({ app: isAsked }) {
  if (!isAsked) return []
  const file = path.join(import.meta.dirname, 'out', `app-${new Date().toISOString().slice(0, 10)}.json`)
  fs.rmSync(file, { force: true })
  const ran = spawnSync(process.execPath, [path.join(root, 'tools/e2e.mjs'), '--config', 'test/bench/app/playwright.config.ts'], {
    encoding: 'utf8',
    cwd: root,
  })
  if (!fs.existsSync(file)) throw new Error(ran.stderr.trim().split('\n').at(-1))
  const { results: seen } = JSON.parse(fs.readFileSync(file, 'utf8'))
  const frame = 1000 / 60
  const limit = 1.5 * seen.parseMs + frame
  return [
    {
      ...{ goal: 12, what: 'process start to first paint', ours: ms(seen.firstPaintMs), than: `an empty window ${ms(seen.emptyPaintMs)}` },
      ...{ ratio: seen.firstPaintRatio, most: 1.3 },
    },
    {
      ...{ goal: 12, what: 'a run of 10,000 calls is opened', ours: ms(seen.openedMs), than: `1.5 J + a frame ${ms(limit)}` },
      ...{ ratio: seen.openedMs / limit, most: 1 },
    },
    {
      ...{ goal: 12, what: 'a frame at 500 events a second, 95 %', ours: ms(seen.live.p95), than: `60 a second ${ms(frame)}` },
      ...{ ratio: seen.live.p95 / frame, most: 1.05 },
    },
  ]
}

export const GOALS = [
  { numbers: [1, 8], title: 'one call after the other', measure: sequential },
  { numbers: [2], title: '16 at once', measure: parallel },
  { numbers: [3], title: 'durability left to the system', measure: unsynced },
  { numbers: [4, 9], title: 'growth and memory', measure: growth },
  { numbers: [5], title: 'resume', measure: resume },
  { numbers: [6], title: 'replay', measure: replay },
  { numbers: [7], title: 'crashes', measure: crashes },
  { numbers: [10], title: 'start of the command line', measure: start },
  { numbers: [11], title: 'history', measure: history },
  { numbers: [12], title: 'the app', measure: app },
]
