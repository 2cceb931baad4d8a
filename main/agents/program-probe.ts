/** What an agent program says of itself: its version, and whether somebody is signed in. */
import type { AgentContext } from './agent-runner.ts'
import { type CommandEnd, runCommand } from './command.ts'

export type ProbeContext = Pick<AgentContext, 'signal' | 'env' | 'onSpawn'>

/** Runs the program with a few arguments and gives all that it wrote; null when it could not or did not want to. */
export async function askProgram(
  file: string,
  args: readonly string[],
  context: ProbeContext,
): Promise<{ text: string; isOk: boolean } | null> {
  const { signal, env } = context
  const end: CommandEnd = await runCommand(
    { file, args, cwd: process.cwd(), env },
    { signal, onLine: () => {}, onSpawn: (child) => context.onSpawn(child) },
  )
  return end.kind === 'exited' ? { text: `${end.stdout.text}\n${end.stderr.text}`.trim(), isOk: end.code === 0 } : null
}

/** The first thing that looks like a version in what `--version` prints. */
export async function versionOf(file: string, context: ProbeContext): Promise<string | null> {
  const said = await askProgram(file, ['--version'], context)
  return said?.isOk === true ? (/\d+\.\d+[\w.+-]*/.exec(said.text)?.[0] ?? null) : null
}
