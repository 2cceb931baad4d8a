/** The sessions that Claude Code keeps: what a call leaves there, so that it can go on with it. */
import { readdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Forgets the session of a call that has its answer: nobody goes on with it, and the person's list stays short. */
export async function forgetSession(id: string, env: Readonly<Record<string, string>>): Promise<void> {
  const projects = join(env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? homedir(), '.claude'), 'projects')
  const folders = await readdir(projects).catch(() => [])
  const left = folders.flatMap((folder) => [join(projects, folder, `${id}.jsonl`), join(projects, folder, id)])
  await Promise.all(left.map((path) => rm(path, { recursive: true, force: true }).catch(() => {})))
}
