/** Runs as resources: `reprise://run/<id>` is the whole view of a run as JSON. A host that subscribed is told when it ends. */
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ErrorCode, McpError, SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { AppError } from '../../shared/errors.ts'
import { runState } from '../../shared/run/status.ts'
import { oneLine } from '../cli/text/printable.ts'
import { runUri } from './run-report.ts'
import type { ServerContext } from './server-context.ts'

const LISTED = 50
const JSON_TYPE = 'application/json'

export interface RunResources {
  /** Tells whoever subscribed that a run changed. */
  changed(runId: string): void
}

export function serveResources(mcp: McpServer, { service, project }: ServerContext): RunResources {
  const subscribed = new Set<string>()
  const { server } = mcp
  server.registerCapabilities({ resources: { subscribe: true, listChanged: true } })
  mcp.registerResource(
    'run',
    new ResourceTemplate(runUri('{run}'), {
      list: async () => {
        const { runs } = await service.list(project, { limit: LISTED })
        return {
          resources: runs
            .filter(({ damaged }) => damaged === null)
            .map((run) => ({
              uri: runUri(run.runId),
              name: `#${run.number} ${oneLine(run.title)}`,
              description: [runState(run).word, oneLine(run.sentence)].filter((part) => part !== '').join(' · '),
              mimeType: JSON_TYPE,
            })),
        }
      },
    }),
    { title: 'A run', description: 'State, phases, calls and log of a run. <run> is an id, a number or “last”', mimeType: JSON_TYPE },
    async (uri, { run }) => {
      try {
        const view = await service.show(project, await service.resolveRun(project, decodeURIComponent(String(run))))
        return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(view) }] }
      } catch (thrown) {
        const error = AppError.wrap(thrown)
        throw new McpError(ErrorCode.InvalidParams, error.message, { code: error.code })
      }
    },
  )
  server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
    subscribed.add(params.uri)
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, async ({ params }) => {
    subscribed.delete(params.uri)
    return {}
  })
  return {
    changed(runId) {
      const uri = runUri(runId)
      if (subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(() => undefined) // a host that has gone needs none
    },
  }
}
