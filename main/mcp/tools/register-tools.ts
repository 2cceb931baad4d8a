/** The table of tools: what a host is told of each, and what it calls. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { RunReport } from '../run-report.ts'
import type { ServerContext } from '../server-context.ts'
import { answering } from '../tool-answer.ts'
import type { WorkflowCatalog } from '../workflow-catalog.ts'
import { AnswerInput, answerPermission, DecideInput, decideGate } from './decide-tools.ts'
import { ListAnswer, ListInput, StatusInput, WaitInput, workflowList, workflowStatus, workflowWait } from './look-tools.ts'
import { ResumeAnswer, ResumeInput, resumeWorkflow } from './resume-tool.ts'
import { RunAnswer, RunInput, runWorkflow } from './run-tool.ts'
import { StopInput, stopWorkflow } from './stop-tool.ts'

const LOOKS = { readOnlyHint: true, openWorldHint: false }

export function registerLookTools(server: McpServer, context: ServerContext, catalog: WorkflowCatalog): void {
  server.registerTool(
    'workflow_status',
    {
      title: 'How a run stands',
      description: 'How a run stands now: state, counts of its calls, failed calls, error with its place, return value once it has ended.',
      inputSchema: StatusInput,
      outputSchema: RunReport,
      annotations: LOOKS,
    },
    answering((input) => workflowStatus(context, input)),
  )
  server.registerTool(
    'workflow_wait',
    {
      title: 'Wait for the end of a run',
      description:
        'Answers when the run has ended or waits for a person (waitsForYou names the tool to settle it), or after timeout_seconds with how it stands. Tells of finished calls on the way.',
      inputSchema: WaitInput,
      outputSchema: RunReport,
      annotations: LOOKS,
    },
    answering((input, extra) => workflowWait(context, input, extra)),
  )
  server.registerTool(
    'workflow_list',
    {
      title: 'Runs and workflows of the project',
      description: 'The runs of the project, newest first, and the workflows that workflow_run knows by name, with when to use them.',
      inputSchema: ListInput,
      outputSchema: ListAnswer,
      annotations: LOOKS,
    },
    answering((input) => workflowList(context, catalog, input)),
  )
}

/** @param saved called when a workflow may have been added to the project */
export function registerDoTools(server: McpServer, context: ServerContext, saved: () => void): void {
  server.registerTool(
    'workflow_run',
    {
      title: 'Start a workflow',
      description:
        'Starts a workflow of agent calls and answers at once with the run’s id. Give the text of a script, the name of a workflow, or the path of a script in the project. Finished calls are journaled: a stopped run goes on without repeating them. A script that can’t run is refused with file:line:column.',
      inputSchema: RunInput,
      outputSchema: RunAnswer,
      annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    answering(async (input) => {
      const answered = await runWorkflow(context, input)
      if (input.script !== undefined && input.name !== undefined) saved()
      return answered
    }),
  )
  server.registerTool(
    'workflow_resume',
    {
      title: 'Go on with a run',
      description:
        'Starts the next attempt of a run: calls that are unchanged and finished are replayed for nothing, the rest runs. Answers at once.',
      inputSchema: ResumeInput,
      outputSchema: ResumeAnswer,
      annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    answering((input) => resumeWorkflow(context, input)),
  )
  server.registerTool(
    'workflow_decide',
    {
      title: 'Decide a gate',
      description:
        'Gives a gate the choice of a person, also in a run that another process works on, or nobody. Ask the person first: a gate is there for them.',
      inputSchema: DecideInput,
      outputSchema: RunReport,
      annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    answering((input) => decideGate(context, input)),
  )
  server.registerTool(
    'workflow_answer',
    {
      title: 'Answer an agent that asks for permission',
      description:
        'Allows or denies what an agent of a run asks for, this once or until the attempt ends. Ask the person first: what nobody answers is denied.',
      inputSchema: AnswerInput,
      outputSchema: RunReport,
      annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    answering((input) => answerPermission(context, input)),
  )
  server.registerTool(
    'workflow_stop',
    {
      title: 'Stop a run',
      description: 'Stops a run, also one that another process works on. Finished results are kept; workflow_resume goes on from there.',
      inputSchema: StopInput,
      outputSchema: RunReport,
      annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    answering((input) => stopWorkflow(context, input)),
  )
}
