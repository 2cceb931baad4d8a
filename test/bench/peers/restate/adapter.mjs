/** A Restate server of one node on the loopback, with its service in this process. Both die together at a kill of the group. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import * as restate from '@restatedev/restate-sdk'
import { asked, groups, now, say, step } from '../../adapters/step.mjs'

const noted = path.join(asked.dir, 'ports.json')
if (!fs.existsSync(noted)) {
  const base = 17_000 + (process.pid % 400) * 4
  fs.writeFileSync(noted, JSON.stringify({ service: base, ingress: base + 1, admin: base + 2, node: base + 3 }))
}
const ports = JSON.parse(fs.readFileSync(noted, 'utf8'))
const log = fs.openSync(path.join(asked.dir, 'server.log'), 'a')
const binary = path.join(import.meta.dirname, 'node_modules/@restatedev/restate-server-linux-x64/bin/restate-server')
const words = ['--no-logo', '--base-dir', path.join(asked.dir, 'data'), '--node-name', 'bench', '--listen-mode', 'tcp']
const server = spawn(binary, words, {
  stdio: ['ignore', log, log],
  env: {
    ...process.env,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ports.ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${ports.admin}`,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${ports.node}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${ports.node}`,
    RESTATE_ADVERTISED_HOST: '127.0.0.1',
    RESTATE_AUTO_PROVISION: 'true',
    RESTATE_DISABLE_TELEMETRY: 'true',
    DO_NOT_TRACK: '1',
    RUST_LOG: 'warn',
  },
})
const workflow = restate.workflow({
  name: 'bench',
  handlers: {
    run: async (context) => {
      for (const group of groups()) {
        const [only] = group
        if (group.length === 1) await context.run('step', async () => step(only))
        else await restate.RestatePromise.all(group.map((index) => context.run('step', async () => step(index))))
      }
      return asked.n
    },
  },
})
await restate.serve({ services: [workflow], port: ports.service })

async function ask(url, init, patience = 60_000) {
  const until = now() + patience
  for (;;) {
    try {
      const answer = await fetch(url, init)
      if (answer.ok) return
    } catch {
      // Not up yet.
    }
    if (now() > until) throw new Error(`no answer from ${url}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const post = (body) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
await ask(`http://127.0.0.1:${ports.admin}/health`)
if (asked.mode === 'run')
  await ask(`http://127.0.0.1:${ports.admin}/deployments`, post({ uri: `http://127.0.0.1:${ports.service}`, force: true }))
await ask(`http://127.0.0.1:${ports.ingress}/restate/health`)
say('ready')
say('start')
if (asked.mode === 'run') await ask(`http://127.0.0.1:${ports.ingress}/bench/one/run`, post({}), 600_000)
else await ask(`http://127.0.0.1:${ports.ingress}/restate/workflow/bench/one/attach`, {}, 600_000)
const peak = /VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]
say('done', { otherPeakKb: Number(peak ?? 0) })
server.kill('SIGKILL')
process.exit(0)
