/** Starts a TypeScript file of these tests as a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { tempFolder } from './run-fixtures.ts'

/** Path of a runnable copy, removed after the test. */
export async function bundled(entry: string): Promise<string> {
  const outfile = join(tempFolder(), 'process.mjs')
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' })
  return outfile
}

export interface Claimant {
  claim(project: string, runId: string): Promise<string>
  end(): void
}

export function claimant(script: string): Claimant {
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  return {
    claim: async (project, runId) => {
      const answer = once(lines, 'line')
      child.stdin.write(`${project}\t${runId}\n`)
      const [line]: string[] = await answer
      return line ?? ''
    },
    end: () => child.kill('SIGKILL'),
  }
}
