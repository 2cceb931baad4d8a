import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { CLI, TestProject } from '../support/reprise.ts'

function project(): TestProject {
  const made = new TestProject()
  onTestFinished(() => made.remove())
  return made
}

test('a server without a host ends well and says nothing', async () => {
  expect(await project().run(['mcp'])).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
})

test('a project that is not there, and options that exclude each other, are refused before anything is served', async () => {
  const missing = await project().run(['mcp', '--project', 'nowhere'])
  expect(missing).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('There is no folder') })
  const both = await project().run(['mcp', '--yes', '--read-only'])
  expect(both).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('exclude each other') })
})

test('the help has a configuration to copy', async () => {
  const { stdout } = await project().run(['help', 'mcp'])
  const configuration = stdout.split('\n').find((line) => line.includes('mcpServers')) ?? ''
  expect(JSON.parse(configuration)).toMatchObject({
    mcpServers: { reprise: { command: 'reprise', args: ['mcp', '--project', expect.any(String)] } },
  })
})

test('what is no message disturbs nobody, and stdout holds messages only', async () => {
  const { folder, outside } = project()
  const child = spawn(process.execPath, [CLI, 'mcp'], { cwd: folder, env: { ...process.env, HOME: outside } })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  const ended = once(child, 'close')
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  child.stdin.write(`garbage\n{"half":\n${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  while (!stdout.includes('\n')) await once(child.stdout, 'data')
  child.stdin.end()
  expect(await ended).toEqual([0, null])
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(messages).toMatchObject([
    { id: 1, result: { serverInfo: { name: 'reprise' }, instructions: expect.stringContaining('workflow_run') } },
  ])
})
