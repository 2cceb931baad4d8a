/** The names a workflow may give as `agentType` or `model`, and the words for a name that nobody knows. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError } from '../../shared/errors.ts'

/** Roles that the run's default agent plays. */
export const BUILT_IN_AGENT_TYPES = ['general-purpose', 'Explore', 'Plan'] as const
/** Agents that are there without any set-up. */
export const BUILT_IN_PROFILES = ['shell', 'simulated'] as const
export const KNOWN_MODELS = ['sonnet', 'opus', 'haiku', 'fable', 'inherit'] as const

/** Every `agentType` that a call in this project may name: what is built in first, then the project's own, sorted. */
export async function knownAgentTypes(project: string): Promise<string[]> {
  const own = await definedAgents(join(project, '.claude', 'agents'))
  return [...new Set([...BUILT_IN_AGENT_TYPES, ...BUILT_IN_PROFILES, ...own])]
}

/** The refusal of a name, with everything that would have been right. */
export function agentUnknown(name: string, known: readonly string[], where: { line?: number; column?: number } = {}): AppError {
  return new AppError('agent-unknown', agentUnknownText(name, known), { ...where, data: { name, known: [...known] } })
}

export function agentUnknownText(name: string, known: readonly string[]): string {
  return `There is no agent "${name}" here. Use one of ${known.join(', ')}, or define it in .claude/agents/${fileNameFor(name)}.md`
}

export function modelUnknownText(name: string): string {
  return `There is no model "${name}" here. Use one of ${KNOWN_MODELS.join(', ')}`
}

/** An agent is called as its front matter says, or like its file. Files that can't be read define nothing. */
async function definedAgents(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => [])
  const names = files
    .filter((file) => file.endsWith('.md'))
    .map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8').catch(() => null)
      return text === null ? null : (frontMatterName(text) ?? basename(file, '.md'))
    })
  return (await Promise.all(names)).filter((name) => name !== null).sort()
}

function frontMatterName(text: string): string | null {
  const head = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1]
  const value = head === undefined ? undefined : /^name:[ \t]*(.*?)[ \t]*$/m.exec(head.replaceAll('\r', ''))?.[1]
  const quoted = value === undefined ? null : /^(["'])(.*)\1$/.exec(value)
  const name = quoted?.[2] ?? value?.replace(/\s+#.*$/, '')
  return name === undefined || name === '' ? null : name
}

function fileNameFor(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : '<name>'
}
