/** Makes what the benchmarks run of ours: the command line as people get it, and the adapters as single files in out/bench. */
import path from 'node:path'
import { build } from 'esbuild'
import { buildIfStale } from '../../tools/build.mjs'
import { root } from '../../tools/sources.mjs'

export const cli = path.join(root, 'out', 'cli')
const outdir = path.join(root, 'out', 'bench')

/** @returns the built file of an adapter by its name */
export async function buildOurs() {
  await buildIfStale('cli')
  await build({
    entryPoints: ['reprise', 'list', 'make-runs'].map((name) => path.join(import.meta.dirname, 'adapters', `${name}.ts`)),
    ...{
      outdir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
    },
    // What is bundled from CommonJS asks for Node's own modules by `require`.
    banner: { js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);" },
  })
  return (name) => path.join(outdir, `${name}.mjs`)
}
