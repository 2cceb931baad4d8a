import { defineConfig } from '@playwright/test'
import tests from './playwright.config.ts'

/** `npm run screenshots`: pictures of the real app, for the README and for looking at. */
export default defineConfig({ ...tests, testDir: 'test/e2e/screens', testMatch: '*.ts', timeout: 180_000 })
