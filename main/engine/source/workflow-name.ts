/** Names of workflows: what may be one, which files can hold it, and what a run is called. */
import type { ScriptMeta } from './check-script.ts'

const EXTENSIONS = ['ts', 'js', 'mjs'] as const

/** True for one path segment that stays in its folder: no separators, no NUL, not `.` or `..`, not empty, at most 200 characters. */
export function isWorkflowName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.length <= 200 && !/[/\\\0]/.test(name)
}

/** File names that a named workflow may have in a workflow folder, the first that exists is the one. Empty for a bad name. */
export function workflowFiles(name: string): string[] {
  if (!isWorkflowName(name)) return []
  return [...EXTENSIONS.map((extension) => `${name}.${extension}`), ...EXTENSIONS.map((extension) => `${name}.workflow.${extension}`)]
}

/** The name under which a file of a workflow folder is found; null when it is no workflow. */
export function nameOfFile(file: string): string | null {
  const found = /^(.+?)(?:\.workflow)?\.(?:ts|js|mjs)$/s.exec(file)
  const name = found?.[1]
  return name !== undefined && isWorkflowName(name) && !/\.d\.ts$/.test(file) ? name : null
}

/** What a run is called when nobody named it. `path` may have either kind of separator. */
export function defaultTitle(meta: ScriptMeta | null, path: string): string {
  const named = meta?.name?.trim()
  if (named) return named
  const file = path.split(/[/\\]/).at(-1) ?? ''
  return file.replace(/(?:\.workflow)?\.[^.]+$/, '') || 'workflow'
}
