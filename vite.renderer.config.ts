import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The window's page by itself, for the gallery of screens: `npx vite --config vite.renderer.config.ts`, then `/?gallery`. */
export default defineConfig({
  root: resolve(import.meta.dirname, 'renderer'),
  cacheDir: resolve(import.meta.dirname, 'out/vite-renderer'),
  base: './',
  plugins: [react()],
})
