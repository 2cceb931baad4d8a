/** A Postgres for the peer that needs one: the one that BENCH_POSTGRES names, else a cluster of our own in a temporary folder. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

let running = null

/** @returns the URL of a server, without a database */
export async function postgres() {
  if (process.env.BENCH_POSTGRES) return process.env.BENCH_POSTGRES
  running ??= startCluster()
  return running.url
}

/** Ends the cluster that was started here, if one was. */
export function stopPostgres() {
  if (running === null) return
  running.run('pg_ctl', ['stop', '-m', 'immediate', '-D', running.data])
  fs.rmSync(running.folder, { recursive: true, force: true })
  running = null
}

function binaries() {
  const versions = '/usr/lib/postgresql'
  if (!fs.existsSync(versions)) throw new Error('no Postgres found; name one with BENCH_POSTGRES')
  const newest = fs.readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0] ?? ''
  return path.join(versions, newest, 'bin')
}

function startCluster() {
  const bin = binaries()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reprise-bench-postgres-'))
  const data = path.join(folder, 'data')
  const port = 20_000 + (process.pid % 10_000)
  // Postgres refuses to run as root.
  const isRoot = process.getuid?.() === 0
  const run = (program, words) => {
    const all = [path.join(bin, program), ...words]
    const [first = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', ...all] : all
    const ran = spawnSync(first, rest, { encoding: 'utf8', cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    if (ran.status !== 0) throw new Error(`${program} failed: ${(ran.stderr || ran.error?.message || '').trim().split('\n').at(-1)}`)
  }
  if (isRoot) spawnSync('chown', ['postgres', folder])
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'])
  const settings = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`
  run('pg_ctl', ['start', '-w', '-D', data, '-l', path.join(folder, 'log'), '-o', settings])
  return { url: `postgresql://postgres@127.0.0.1:${port}`, folder, data, run }
}
