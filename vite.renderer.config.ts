import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The window's page by itself: for the gallery of screens, which needs no app around it. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: { target: 'chrome130', outDir: resolve(import.meta.dirname, '../out/renderer'), emptyOutDir: true },
})
