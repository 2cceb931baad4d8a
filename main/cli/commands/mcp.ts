/** `reprise mcp`: serves a project's workflows to a program that speaks the Model Context Protocol. */
import { join } from 'node:path'
import { AppError } from '../../../shared/errors.ts'
import { dataFolder } from '../../store/data-folder.ts'
import { command } from '../command.ts'
import { shellQuote } from '../text/shell-quote.ts'

export const mcpCommand = command({
  name: 'mcp',
  purpose: 'Serve the workflows of a project to an MCP host, on stdin and stdout',
  operands: { usage: '', min: 0, max: 0, needs: '' },
  notes: [
    'The host starts this command. In its configuration:',
    '  { "mcpServers": { "reprise": { "command": "reprise", "args": ["mcp", "--project", "/path/to/project"] } } }',
    'A text that was never trusted is refused until a person has run it once with “reprise run … --yes”; “simulated” needs no trust.',
    'When the host goes, the runs it started are stopped and their results kept.',
  ],
  options: {
    'read-only': { kind: 'flag', help: 'Only looking: nothing can be started, stopped or written' },
    yes: { kind: 'flag', short: 'y', help: 'Trust every text that the host sends or names' },
  },
  examples: [
    { line: 'reprise mcp --project ~/shop', does: 'Serve one project' },
    { line: 'reprise mcp --read-only', does: 'Let a host look at runs and nothing else' },
  ],
  async run(_, given, context) {
    if (given.yes && given['read-only']) throw new AppError('usage', '--yes and --read-only exclude each other. See: reprise help mcp')
    const project = await context.project()
    const service = await context.service()
    if (context.io.isTty.stdin) context.note(`Serving ${project} on stdin and stdout, for an MCP host. Ctrl-D ends it.`)
    const { serve } = await import('../../mcp/serve.ts')
    await serve(context.io, {
      service,
      project,
      scripts: join(dataFolder(), 'scripts'),
      trustsAll: given.yes,
      isReadOnly: given['read-only'],
      command: (words) => ['reprise', ...words, '--project', project].map((word) => shellQuote(word)).join(' '),
    })
    return 0
  },
})
