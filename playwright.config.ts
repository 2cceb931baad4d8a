import { defineConfig } from '@playwright/test'

/** One at a time: the fake desktop owns names on the session bus, and one Electron keeps the machine busy enough. */
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  outputDir: 'test-results',
})
