import { resolve } from 'node:path'
import { defineConfig } from '@playwright/test'
import tests from '../../../playwright.config.ts'

/** `npm run bench:app`: frame times of the real app under load, into `test/bench/out/`. Measures; asserts no time. */
export default defineConfig({
  ...tests,
  testDir: import.meta.dirname,
  testMatch: 'frames.ts',
  timeout: 600_000,
  outputDir: resolve(import.meta.dirname, '../../../test-results'),
})
