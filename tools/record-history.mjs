/**
 * Records the histories of this version into test/histories/<version>: runs of the built command line, with the names of
 * this machine taken out. Usage: node tools/record-history.mjs [name …]; once a version, before it is released.
 */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { buildIfStale } from './build.mjs'
import { root } from './sources.mjs'

const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
const CLI = path.join(root, 'out', 'cli', 'reprise.mjs')
const KEPT = ['run.json', 'journal.jsonl', 'events.jsonl', 'source', 'payload']
const SIMULATED = ['--agent', 'simulated', '--concurrency', '4']

/** Each runs its script to its end, in as many attempts as it takes. */
const HISTORIES = {
  'fan-out': {
    script: `phase('Find')
const seen = []
const found = await parallel([60, 20, 40].map((ms, i) => () =>
  agent(\`find \${i} [[delay:\${ms}]]\`, { label: 'find ' + i }).then((text) => { seen.push(i); return text })))
phase('Check')
const checked = await pipeline(found, (text) => agent('check ' + text), (text, _, i) => agent(\`vote \${i} after \${seen}: \${text}\`))
return { seen, checked }
`,
    record: async (run) => run.cli('run', run.script, ...SIMULATED),
  },
  race: {
    script: `const first = await Promise.race([agent('slow [[delay:400]]'), agent('fast')])
void agent('nobody waits [[delay:500]]')
return { first, then: await agent('after ' + first) }
`,
    record: async (run) => run.cli('run', run.script, ...SIMULATED),
  },
  retried: {
    script: `const early = await agent('early [[die-once:refused]]', { retries: 0 })
const rest = await parallel([1, 2, 3].map((n) => () => agent(\`rest \${n}\`)))
const late = await agent('late [[die-once:agent-error]]')
return { early, rest, late }
`,
    record: async (run) => {
      await run.cli('run', run.script, ...SIMULATED)
      await run.cli('resume', 'last')
    },
  },
  skipped: {
    script: `const [waited, other] = await parallel([() => agent('stuck [[hang]]'), () => agent('other')])
return { waited, other, after: await agent('after ' + waited) }
`,
    record: async (run) => {
      const going = run.start('run', run.script, ...SIMULATED)
      await run.until(() => run.journal().includes('"t":"result"'))
      const body = { kind: 'skip', call: 1 }
      const commands = path.join(run.folder(), 'commands')
      fs.mkdirSync(commands, { recursive: true })
      const made = path.join(commands, '01AAAAAAAAAAAAAAAAAAAAAAAA')
      fs.writeFileSync(made, JSON.stringify({ id: 'skip-1', by: 'recorder', attempt: 1, body }))
      fs.renameSync(made, `${made}.json`)
      await going.ended
    },
  },
  schema: {
    script: `const schema = { type: 'object', properties: { title: { type: 'string' }, n: { type: 'integer' } }, required: ['title', 'n'] }
const first = await agent('third time lucky [[invalid:2]][[json:{"title":"a","n":1}]]', { schema, model: 'm', effort: 'low' })
const given = await agent('smallest', { schema: { required: ['ok'], type: 'object', properties: { ok: { type: 'boolean' } } } })
return { first, given }
`,
    record: async (run) => run.cli('run', run.script, ...SIMULATED),
  },
  resumed: {
    script: `const seen = []
const all = await parallel(Array.from({ length: 8 }, (_, i) => async () => {
  const text = await agent(\`step \${i} [[delay:\${50 + (i * 37) % 90}]]\`)
  seen.push(i)
  return agent(\`\${text} after \${seen.slice(-2)} [[delay:\${30 + (i * 53) % 70}]]\`)
}))
return { all, seen, spent: budget.spent(), chance: [random(), uuid()], moved: now() > 0 }
`,
    record: async (run) => {
      for (const results of [4, 9]) {
        const going = run.start(...(results === 4 ? ['run', run.script, ...SIMULATED] : ['resume', 'last']))
        await run.until(() => run.journal().split('"t":"result"').length - 1 >= results)
        going.child.kill('SIGKILL')
        await going.ended
      }
      await run.cli('resume', 'last')
    },
  },
  'large-payload': {
    script: `const large = await agent('head -c 70000 /dev/zero | tr "\\\\0" x')
const small = await agent('echo ' + large.length)
return { length: large.length, small }
`,
    record: async (run) => run.cli('run', run.script, '--agent', 'shell', '--yes'),
  },
  unicode: {
    script: `const names = ['Grüße', '日本語', '🚀👩‍💻', 'e\\u0301', '\\ud800', 'line\\u2028separator', '"quotes" \\\\ and \\n lines']
const answers = await parallel(names.map((name) => () => agent(\`[[text:\${name}]] \${name}\`, { label: name, phase: name })))
return { answers, args }
`,
    record: async (run) => run.cli('run', run.script, ...SIMULATED, '--arg', 'greeting=Grüße 🚀'),
  },
}

HISTORIES.waits = {
  script: `const start = now()
const [slept, other] = await Promise.all([sleep(40), agent('meanwhile [[delay:90]]')])
let looks = 0
const build = await wait(async () => {
  looks += 1
  const text = await agent(\`look \${looks}\`, { label: 'look' })
  return looks > 2 ? 'green' : 'wait'
}, { name: 'build', intervalsMs: [20, 30], timeoutMs: 60_000 })
const late = await wait(() => 'wait', { intervalsMs: 10, timeoutMs: 25 })
return { slept, other, build, looks, late, took: now() - start }
`,
  record: async (run) => run.cli('run', run.script, ...SIMULATED),
}
HISTORIES.checks = {
  script: `const passed = await check('node -e "process.exit(0)"', { repeatable: true })
const failed = await check(['node', '-e', 'console.log("no"); process.exit(3)'], { label: 'fails', env: { MODE: 'ci' } })
return { codes: [passed?.exitCode, failed?.exitCode, failed?.stdout], after: await agent(\`echo after \${failed?.exitCode}\`) }
`,
  record: async (run) => run.cli('run', run.script, '--agent', 'shell', '--yes'),
}
HISTORIES.gate = {
  script: `const plan = await agent('plan')
const decision = await gate('Go on with this plan?', { show: plan, options: ['go', 'stop'] })
return { choice: decision.choice, note: decision.note, by: typeof decision.by, at: decision.at > 0, done: await agent('do ' + decision.choice) }
`,
  record: async (run) => {
    await run.cli('run', run.script, ...SIMULATED)
    await run.cli('approve', 'last', '--choice', 'go', '--note', 'Grüße', '--resume')
  },
}
HISTORIES.children = {
  script: `const [one, two] = await parallel(['one', 'two'].map((name) => () => workflow({ scriptPath: 'child.js' }, { name })))
const failed = await workflow({ scriptPath: 'failing.js' }).catch((error) => [error.code, error.message])
return { one, two, failed, after: await agent('after ' + one.said) }
`,
  files: {
    'child.js': `phase('Ask')
return { name: args.name, said: await agent('child ' + args.name + (args.name === 'one' ? ' [[delay:80]]' : '')), drawn: random() }
`,
    'failing.js': `await agent('before it fails')
throw new RangeError('too far')
`,
  },
  record: async (run) => run.cli('run', run.script, ...SIMULATED),
}

const project = fs.mkdtempSync(path.join(os.tmpdir(), 'reprise-history-'))
const target = path.join(root, 'test', 'histories', version)
await buildIfStale('cli')
const only = process.argv.slice(2)
try {
  for (const [name, { script, files = {}, record }] of Object.entries(HISTORIES)) {
    if (only.length > 0 && !only.includes(name)) continue
    fs.rmSync(path.join(target, name), { recursive: true, force: true })
    const run = recorder(name, script)
    for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(path.dirname(run.script), file), text)
    await record(run)
    keep(name, run)
    console.log(`${name} recorded`)
  }
} finally {
  fs.rmSync(project, { recursive: true, force: true })
}

/** A project of its own for one history. */
function recorder(name, text) {
  const cwd = path.join(project, name)
  const runs = path.join(cwd, '.claude', 'workflow-runs')
  fs.mkdirSync(path.join(cwd, '.claude'), { recursive: true })
  const script = path.join(cwd, `${name}.js`)
  fs.writeFileSync(script, text)
  const env = { PATH: process.env.PATH, HOME: project, REPRISE_HOME: path.join(project, 'data') }
  const start = (...args) => {
    const child = spawn(process.execPath, [CLI, ...args], { cwd, env, stdio: 'ignore' })
    return { child, ended: new Promise((resolve) => child.on('close', resolve)) }
  }
  const folder = () => {
    const ids = fs.existsSync(runs) ? fs.readdirSync(runs).filter((id) => /^[0-9A-Z]{26}$/.test(id)) : []
    return path.join(runs, ids[0] ?? 'none')
  }
  const journal = () => {
    const file = path.join(folder(), 'journal.jsonl')
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  }
  const until = async (isSo) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return { script, start, folder, journal, until, cli: (...args) => start(...args).ended }
}

/** Copies what a run is made of, without its caches, and what its replay has to give again. */
function keep(name, run) {
  const from = run.folder()
  const to = path.join(target, name)
  fs.mkdirSync(to, { recursive: true })
  for (const entry of KEPT)
    if (fs.existsSync(path.join(from, entry))) fs.cpSync(path.join(from, entry), path.join(to, entry), { recursive: true })
  for (const entry of ['run.json', 'events.jsonl']) rewrite(path.join(to, entry), anonymous)
  rewrite(path.join(to, 'journal.jsonl'), (text) => text.split('\n').map(anonymousLine).join('\n'))
  const end = JSON.parse(run.journal().trim().split('\n').at(-1))
  if (end.t !== 'end' || end.end.status !== 'completed') throw new Error(`${name} did not complete: ${JSON.stringify(end)}`)
  fs.writeFileSync(path.join(to, 'expected.json'), `${JSON.stringify({ value: end.value.inline }, null, 2)}\n`)
}

function rewrite(file, change) {
  fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')))
}

function anonymous(text) {
  return text.replaceAll(project, '/home/author')
}

/** A line of the journal without this machine's names, under a new checksum; one that was cut off stays as it is. */
function anonymousLine(line) {
  if (!line.includes('"owner":')) return line
  const { crc: _, ...record } = JSON.parse(line)
  const open = JSON.stringify({ ...record, owner: { ...record.owner, boot: 'boot', host: 'recorder' } }).slice(0, -1)
  return `${open},"crc":"${crc32(open).toString(16).padStart(8, '0')}"}`
}
