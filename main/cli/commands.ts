/** The commands, in the order of the help. */
import { approveCommand } from './commands/approve.ts'
import { checkCommand } from './commands/check.ts'
import { listCommand } from './commands/list.ts'
import { mcpCommand } from './commands/mcp.ts'
import { newCommand } from './commands/new.ts'
import { pauseCommand } from './commands/pause.ts'
import { planCommand } from './commands/plan.ts'
import { resumeCommand } from './commands/resume.ts'
import { runCommand } from './commands/run.ts'
import { showCommand } from './commands/show.ts'
import { stopCommand } from './commands/stop.ts'
import { typesCommand } from './commands/types.ts'

export const COMMANDS = [
  runCommand,
  resumeCommand,
  planCommand,
  listCommand,
  showCommand,
  stopCommand,
  pauseCommand,
  approveCommand,
  checkCommand,
  newCommand,
  typesCommand,
  mcpCommand,
] as const
