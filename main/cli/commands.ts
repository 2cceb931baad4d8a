/** The commands, in the order of the help. */
import { agentsCommand } from './commands/agents.ts'
import { answerCommand } from './commands/answer.ts'
import { approveCommand } from './commands/approve.ts'
import { checkCommand } from './commands/check.ts'
import { completionCommand } from './commands/completion.ts'
import { crashTestCommand } from './commands/crash-test.ts'
import { doctorCommand } from './commands/doctor.ts'
import { exportCommand } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { listCommand } from './commands/list.ts'
import { logsCommand } from './commands/logs.ts'
import { mcpCommand } from './commands/mcp.ts'
import { newCommand } from './commands/new.ts'
import { pauseCommand } from './commands/pause.ts'
import { pinCommand } from './commands/pin.ts'
import { planCommand } from './commands/plan.ts'
import { pruneCommand } from './commands/prune.ts'
import { resumeCommand } from './commands/resume.ts'
import { retryCommand } from './commands/retry.ts'
import { runCommand } from './commands/run.ts'
import { showCommand } from './commands/show.ts'
import { skipCommand } from './commands/skip.ts'
import { stopCommand } from './commands/stop.ts'
import { typesCommand } from './commands/types.ts'
import { unpinCommand } from './commands/unpin.ts'
import { worktreesCommand } from './commands/worktrees.ts'

export const COMMANDS = [
  runCommand,
  resumeCommand,
  planCommand,
  listCommand,
  showCommand,
  logsCommand,
  stopCommand,
  pauseCommand,
  approveCommand,
  answerCommand,
  skipCommand,
  retryCommand,
  exportCommand,
  importCommand,
  worktreesCommand,
  pinCommand,
  unpinCommand,
  pruneCommand,
  checkCommand,
  agentsCommand,
  newCommand,
  typesCommand,
  mcpCommand,
  completionCommand,
  doctorCommand,
  crashTestCommand,
] as const
