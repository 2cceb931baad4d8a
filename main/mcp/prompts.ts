/** Each named workflow as a prompt of its name, so that a person can pick it in their host. The list is made when it is asked for. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ErrorCode, GetPromptRequestSchema, ListPromptsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { CatalogEntry, WorkflowCatalog } from './workflow-catalog.ts'

export function servePrompts({ server }: McpServer, catalog: WorkflowCatalog, isReadOnly: boolean): void {
  server.registerCapabilities({ prompts: { listChanged: !isReadOnly } })
  server.setRequestHandler(ListPromptsRequestSchema, async () => ({
    prompts: (await catalog.list()).map((entry) => ({
      name: entry.name,
      description: about(entry) || `Run the workflow “${entry.name}”`,
      arguments: [{ name: 'args', description: 'Input of the workflow: JSON, or words', required: false }],
    })),
  }))
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => {
    const entries = await catalog.list()
    const entry = entries.find(({ name }) => name === params.name)
    if (entry === undefined) {
      const known = entries.length === 0 ? 'There are none.' : `There are: ${entries.map(({ name }) => name).join(', ')}.`
      throw new McpError(ErrorCode.InvalidParams, `There is no workflow “${params.name}” here. ${known}`)
    }
    return {
      description: about(entry),
      messages: [
        { role: 'user', content: { type: 'text', text: isReadOnly ? lookText(entry) : runText(entry, params.arguments?.['args']) } },
      ],
    }
  })
}

function about({ description, whenToUse, problem }: CatalogEntry): string {
  return [description, whenToUse && `Use it: ${whenToUse}`, problem && `It can’t run as it is: ${problem}`].filter(Boolean).join('\n')
}

function runText(entry: CatalogEntry, args: string | undefined): string {
  const input = args ? ` Its args: ${args}` : ''
  const call = `Call workflow_run with name ${JSON.stringify(entry.name)}.${input}`
  return [
    about(entry),
    call,
    'Then call workflow_wait until the run has ended, and tell what came out. If it stopped early, say how to go on with workflow_resume.',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function lookText(entry: CatalogEntry): string {
  const look = `This server only looks. Call workflow_list with workflow ${JSON.stringify(entry.name)} and tell how its last runs went.`
  return [about(entry), look].filter((part) => part !== '').join('\n\n')
}
