/** Every command of the window. The order is the order in the key list and the command sheet. */
import { ANYWHERE } from './anywhere-commands.ts'
import type { Command } from './command.ts'
import { LIST } from './list-commands.ts'
import { RUN } from './run-commands.ts'

export const COMMANDS: readonly Command[] = [...ANYWHERE, ...LIST, ...RUN]
