import { builtinModules } from 'node:module'
import { resolve } from 'node:path'
import { defineConfig } from 'vite'

const entry = (path: string) => resolve(import.meta.dirname, path)

/** The command line and its worker files: self-contained, Node built-ins only. */
export default defineConfig({
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
        'run-host': entry('main/host/run-host.ts'),
        'script-worker': entry('main/engine/sandbox/script-worker.ts'),
      },
      external: [...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
      output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
  ssr: { noExternal: true, target: 'node' },
})
