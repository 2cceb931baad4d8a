import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'reprise-bin-'))
const program = join(folder, 'reprise.mjs')

beforeAll(async () => {
  await build({
    entryPoints: [resolve('main/cli/reprise.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.18',
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    plugins: [
      {
        name: 'endless-service',
        setup: (it) => it.onResolve({ filter: /\/create-service\.ts$/ }, () => ({ path: resolve('test/cli/fixtures/endless-service.ts') })),
      },
    ],
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function reprise(...argv: string[]) {
  const child = spawn(process.execPath, [program, ...argv], { cwd: folder })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  return {
    child,
    output,
    exit: once(child, 'close').then(([code, signal]) => ({ code: code as number | null, signal: signal as string | null })),
  }
}

async function untilSaid(child: ChildProcessWithoutNullStreams, output: { stderr: string }, words: string): Promise<void> {
  while (!output.stderr.includes(words)) await once(child.stderr, 'data')
}

test('the program starts, prints, and passes on its exit code', async () => {
  const version = reprise('--version')
  expect(await version.exit).toEqual({ code: 0, signal: null })
  expect(version.output.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  const wrong = reprise('nonsense')
  expect((await wrong.exit).code).toBe(2)
})

test.runIf(process.platform !== 'win32').each([['SIGINT' as const], ['SIGTERM' as const]])(
  '%s stops a run and keeps its results',
  async (signal) => {
    const { child, output, exit } = reprise('run', 'endless')
    await untilSaid(child, output, 'still here')
    child.kill(signal)
    expect(await exit).toEqual({ code: 130, signal: null })
    expect(output.stderr).toContain('Stopped. 3 results saved.')
  },
)

test.runIf(process.platform !== 'win32')('a reader that goes away stops the run quietly', async () => {
  const { child, output, exit } = reprise('run', 'endless', '--events')
  await untilSaid(child, output, 'still here')
  child.stdout.destroy()
  expect(await exit).toEqual({ code: 130, signal: null })
  expect(output.stderr).toContain('Stopped. 3 results saved.')
  expect(output.stderr).not.toContain('EPIPE')
})

test.runIf(process.platform === 'linux')('a current folder that was deleted is named', async () => {
  const gone = mkdtempSync(join(tmpdir(), 'reprise-gone-'))
  const shell = spawn('sh', ['-c', `cd "$1" && rmdir "$1" && exec "$2" "$3" list`, 'sh', gone, process.execPath, program])
  let stderr = ''
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = await once(shell, 'close')
  expect(code).toBe(2)
  expect(stderr).toBe('reprise: the current folder no longer exists. Change to another one and try again.\n')
})
