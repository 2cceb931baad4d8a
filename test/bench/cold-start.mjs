/** `reprise run` as a person starts it: from the start of the process to the engine being ready, and to the first call's start. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** @returns {Promise<{ readyMs: number, callMs: number }>} */
export async function coldStart(cli, project) {
  fs.mkdirSync(project)
  const script = path.join(project, 'start.mjs')
  fs.writeFileSync(script, "return await agent('hello')\n")
  const began = performance.now()
  const words = [path.join(cli, 'reprise.mjs'), 'run', script, '--project', project, '--agent', 'simulated', '--yes', '--events']
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint += text
  })
  const first = new Map()
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const { type } = JSON.parse(line)
      if (!first.has(type)) first.set(type, performance.now() - began)
    }
  })
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [readyMs, callMs] = [first.get('run.started'), first.get('call.started')]
  if (readyMs === undefined || callMs === undefined) throw new Error(`reprise run did not come to a call: ${complaint}`)
  return { readyMs, callMs }
}
