/** Starts a TypeScript file of these tests as a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build, type Plugin } from 'esbuild'
import { tempFolder } from './run-fixtures.ts'

/** `?raw` as the product's bundler has it: a file as its text. */
const raw: Plugin = {
  name: 'raw',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path.slice(0, -'?raw'.length)), namespace: 'raw' }))
    onLoad({ filter: /./, namespace: 'raw' }, ({ path }) => ({ contents: readFileSync(path, 'utf8'), loader: 'text' }))
  },
}

/** Path of a runnable copy, removed after the test. */
export async function bundled(entry: string): Promise<string> {
  const outfile = join(tempFolder(), 'process.mjs')
  await build({
    ...{ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' },
    plugins: [raw],
    // What is bundled from CommonJS asks for Node's own modules by `require`.
    banner: { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" },
  })
  return outfile
}

export interface Claimant {
  claim(project: string, runId: string): Promise<string>
  end(): void
}

export function claimant(script: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Claimant {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } })
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit').then(() => {
    throw new Error('the other process ended')
  })
  ended.catch(() => undefined) // it is ended on purpose, after the last answer
  return {
    claim: async (project, runId) => {
      const answer: Promise<string[]> = once(lines, 'line')
      child.stdin.write(`${project}\t${runId}\n`)
      const [line] = await Promise.race([answer, ended])
      return line ?? ''
    },
    end: () => child.kill('SIGKILL'),
  }
}
