import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/e2e/**', '**/node_modules/**'],
    globalSetup: ['test/build-cli.ts'],
    // A forgotten `.only` is a failure, here and in CI.
    allowOnly: false,
    testTimeout: 60_000,
  },
})
