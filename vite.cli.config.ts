import { builtinModules } from 'node:module'
import { resolve } from 'node:path'
import { transform } from 'esbuild'
import { defineConfig, type Plugin } from 'vite'

const entry = (path: string) => resolve(import.meta.dirname, path)

/**
 * Makes CommonJS packages quick to load. V8 parses a wrapped arrow function twice, a function in parentheses once. The
 * TypeScript compiler is half of what a workflow in TypeScript waits for, so it is made small as well.
 */
function parseOnce(): Plugin {
  return {
    name: 'parse-once',
    async renderChunk(code, chunk) {
      const wrapped = code.replaceAll(/__commonJSMin\(\(\((exports(?:, module)?)\) => \{/g, '__commonJSMin((function($1) {')
      const isCompiler = chunk.moduleIds.some((id) => id.endsWith('/typescript/lib/typescript.js'))
      if (!isCompiler) return wrapped === code ? null : { code: wrapped, map: null }
      const small = await transform(wrapped, { minify: true, format: 'esm', target: 'node20', charset: 'ascii', legalComments: 'inline' })
      return { code: small.code, map: null }
    },
  }
}

/** The command line and its worker files: self-contained, Node built-ins only. */
export default defineConfig({
  plugins: [parseOnce()],
  // The TypeScript compiler inside is CommonJS and asks where it lies.
  define: { __filename: 'import.meta.filename', __dirname: 'import.meta.dirname' },
  build: {
    target: 'node20.18',
    ssr: true,
    outDir: 'out/cli',
    emptyOutDir: true,
    minify: false,
    rollupOptions: {
      checks: { pluginTimings: false },
      input: {
        reprise: entry('main/cli/reprise.ts'),
        'run-host': entry('main/host/run-host-thread.ts'),
        'crash-engine': entry('main/crash/engine-process.ts'),
        'script-worker': entry('main/engine/sandbox/script-worker.ts'),
      },
      external: [...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
      output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
  ssr: { noExternal: true, target: 'node' },
})
