/** The MCP server: serves one project to one host until the host goes, then stops what it started and keeps the results. */

import { PassThrough, Writable } from 'node:stream'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { RunView } from '../../shared/run/view.ts'
import { VERSION } from '../../shared/version.ts'
import type { Io } from '../cli/io.ts'
import { OwnRuns } from './own-runs.ts'
import { servePrompts } from './prompts.ts'
import { type RunResources, serveResources } from './resources.ts'
import { reportLine } from './run-report.ts'
import type { ServerContext } from './server-context.ts'
import { registerDoTools, registerLookTools } from './tools/register-tools.ts'
import { WorkflowCatalog } from './workflow-catalog.ts'

const INSTRUCTIONS =
  'Runs workflows of agent calls in one project. workflow_run starts one and answers at once; workflow_wait tells how it ended. ' +
  'A run that was stopped, paused or cut off goes on with workflow_resume, which repeats no finished call.'
const LOOK_INSTRUCTIONS = 'Shows the workflow runs of one project. Nothing can be started or stopped here.'

export interface ServeOptions extends Omit<ServerContext, 'own'> {
  /** Leaves only the tools that look. */
  isReadOnly: boolean
}

/**
 * Serves until stdin ends or the process is asked to end.
 * @returns when the last run of this server is on disk
 */
export async function serve(io: Pick<Io, 'stdin' | 'stdout' | 'onInterrupt'>, { isReadOnly, ...about }: ServeOptions): Promise<void> {
  const mcp = new McpServer(
    { name: 'reprise', title: 'Reprise', version: VERSION },
    { instructions: isReadOnly ? LOOK_INSTRUCTIONS : INSTRUCTIONS, capabilities: { logging: {} } },
  )
  const own = new OwnRuns((view) => tellEnd(mcp, resources, view))
  const context: ServerContext = { ...about, own }
  const catalog = new WorkflowCatalog(context)
  const resources = serveResources(mcp, context)
  servePrompts(mcp, catalog, isReadOnly)
  registerLookTools(mcp, context, catalog)
  if (!isReadOnly) registerDoTools(mcp, context, () => mcp.sendPromptListChanged())

  const input = io.stdin.pipe(new PassThrough())
  const output = new Writable({ decodeStrings: false, write: (text, _, done) => done(void io.stdout.write(String(text))) })
  let isHurried = false
  let over!: () => void // set by the promise's executor, which runs at once
  const isOver = new Promise<void>((resolve) => {
    over = resolve
  })
  io.stdin.once('end', over).once('close', over).once('error', over)
  // Whoever sends a signal does not wait for running calls.
  const release = io.onInterrupt(() => {
    isHurried = true
    void own.stopAll('now')
    over()
  })
  await mcp.connect(new StdioServerTransport(input, output))
  try {
    await isOver
    await own.stopAll(isHurried ? 'now' : 'keep')
  } finally {
    release()
    await mcp.close()
  }
}

/** A host that does not wait hears of the end as well. */
function tellEnd(mcp: McpServer, resources: RunResources, view: RunView): void {
  if (!mcp.isConnected()) return
  resources.changed(view.runId)
  mcp.sendResourceListChanged()
  const data = { runId: view.runId, number: view.number, status: view.status, message: reportLine(view) }
  mcp.sendLoggingMessage({ level: view.status === 'failed' ? 'error' : 'info', logger: 'reprise', data }).catch(() => undefined)
}
