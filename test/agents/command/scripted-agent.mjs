/** An agent for tests: does what the marker in its prompt says. The prompt comes on stdin, or as the last argument. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const prompt = process.argv.length > 2 ? (process.argv.at(-1) ?? '') : readFileSync(0, 'utf8')
const marker = /\[\[([a-z-]+)(?::([^\]]*))?\]\]/.exec(prompt)

function fail(code, text) {
  console.error(text)
  process.exit(code)
}

switch (marker?.[1]) {
  case 'hang': {
    // Neither it nor its grandchild in a session of its own lets itself be asked to end.
    process.on('SIGTERM', () => {})
    spawn('/bin/sh', ['-c', 'trap "" TERM; while :; do sleep 1; done'], { detached: true, stdio: 'ignore' }).unref()
    console.log('at work')
    setInterval(() => {}, 1000)
    break
  }
  case 'usage':
    console.log('Done')
    console.error('tokens used: in 1,200 (cached 200) out 34\ncost $0.05')
    break
  case 'json':
    console.log(JSON.stringify({ result: { text: 'inside', list: [1, 2] }, n: 3 }))
    break
  case 'fence':
    console.log('Here it is:\n```json\n{"n": 3}\n```\nAs you asked.')
    break
  case 'prose':
    console.log('I would rather not.')
    break
  case 'exit':
    fail(Number(marker[2]), 'it went wrong')
    break
  case 'fail':
    fail(1, marker[2])
    break
  case 'polite':
    console.log(marker[2])
    break
  case 'env':
    console.log(process.env[marker[2]] ?? 'not there')
    break
  default:
    console.log(`heard: ${prompt}`)
}
