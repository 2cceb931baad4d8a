/** A home for the real gemini program, so that it finds nobody's keys and settings, and calls nobody but the fake. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SETTINGS = {
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true, disableUpdateNag: true, maxAttempts: 1 },
  security: { auth: { selectedType: 'gemini-api-key' } },
}

/** The variables that it needs besides those of every child. */
export function geminiEnvironment(home: string, apiUrl: string): Record<string, string> {
  mkdirSync(join(home, '.gemini'), { recursive: true })
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(SETTINGS))
  return { HOME: home, GEMINI_CLI_HOME: home, GEMINI_API_KEY: 'fake-key', GOOGLE_GEMINI_BASE_URL: apiUrl }
}
