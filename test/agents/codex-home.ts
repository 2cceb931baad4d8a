/** A home of Codex whose models are the fake's. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The variable that holds the key of the fake, in tests. */
export const KEY_NAME = 'OPENAI_API_KEY'

/** @returns the folder for `CODEX_HOME` */
export function codexHome(api: string, home: string): string {
  const folder = join(home, 'codex')
  mkdirSync(folder, { recursive: true })
  const rows = [
    'model_provider = "fake"',
    'model = "fake-model"',
    '[model_providers.fake]',
    'name = "fake"',
    `base_url = "${api}/v1"`,
    'wire_api = "responses"',
    `env_key = "${KEY_NAME}"`,
    'supports_websockets = false',
    'request_max_retries = 0',
    'stream_max_retries = 0',
  ]
  writeFileSync(join(folder, 'config.toml'), `${rows.join('\n')}\n`)
  return folder
}
