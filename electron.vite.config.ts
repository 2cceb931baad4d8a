import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const path = (name: string) => resolve(import.meta.dirname, name)

/** Everything is bundled: the packaged app carries no node_modules. Targets are the oldest runtime that the tests run on. */
export default defineConfig({
  main: {
    // Its entry for Node declares a `require` of its own, beside the one that electron-vite adds: no file can have both.
    resolve: { alias: { fflate: 'fflate/browser' } },
    build: {
      target: 'node20.18',
      externalizeDeps: false,
      outDir: 'out/main',
      rollupOptions: {
        checks: { pluginTimings: false },
        // The run host and the script's worker are threads: files of their own beside main.js, as beside the command line.
        input: {
          main: path('main/main.ts'),
          'service-worker': path('main/service/service-worker.ts'),
          'run-host': path('main/host/run-host-thread.ts'),
          'script-worker': path('main/engine/sandbox/script-worker.ts'),
        },
        output: {
          format: 'es',
          entryFileNames: ({ name }) => (name === 'main' ? '[name].js' : '[name].mjs'),
          chunkFileNames: '[name]-[hash].mjs',
        },
      },
    },
  },
  preload: {
    build: {
      target: 'node20.18',
      externalizeDeps: false,
      outDir: 'out/preload',
      rollupOptions: {
        checks: { pluginTimings: false },
        input: { preload: path('preload/preload.ts') },
        // A sandboxed preload can't be an ES module.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: path('renderer'),
    base: '/',
    plugins: [react()],
    build: {
      target: 'chrome130',
      outDir: path('out/renderer'),
      minify: true,
      // Read from disk, not over a network.
      chunkSizeWarningLimit: 2_000,
      rollupOptions: { checks: { pluginTimings: false }, input: path('renderer/index.html') },
    },
  },
})
