/** What every tool of the server works with. */
import type { Service } from '../service/service.ts'
import type { OwnRuns } from './own-runs.ts'

export interface ServerContext {
  service: Service
  /** The one folder that this server serves, absolute. */
  project: string
  /** Folder of the app's data in which texts without a name are kept. */
  scripts: string
  /** The person who started the server trusts every text that it is given. */
  trustsAll: boolean
  own: OwnRuns
  /** A command for a person's terminal, quoted, which means this project. */
  command(words: readonly string[]): string
}
