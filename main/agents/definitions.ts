/**
 * Agent definitions of a project and of the person: `.claude/agents/*.md` below the project and the home folder, front matter and
 * instructions. Of two with one name the project's counts. Read leniently, as these files are
 * written by hand and for other tools too: a description may hold colons and quotes as it likes.
 */
import { readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'

export interface Definition {
  name: string
  description: string | null
  /** Absent in the file: all tools. */
  tools: string[] | null
  /** Null: as the call or the profile says. */
  model: string | null
  /** What it is told before its task. */
  instructions: string
  file: string
}

/** By name, sorted. Files that can't be read define nothing; of two with one name in one folder the first file counts. */
export async function readDefinitions(project: string, home = homedir()): Promise<Map<string, Definition>> {
  const [own, usual] = await Promise.all([project, home].map((folder) => definitionsIn(join(folder, '.claude', 'agents'))))
  const all = new Map([...(usual ?? []), ...(own ?? [])])
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function definitionsIn(folder: string): Promise<Map<string, Definition>> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.md')).sort()
  const read = await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file)
      const text = await readFile(path, 'utf8').catch(() => null)
      return text === null ? null : definitionOf(text, path)
    }),
  )
  const found = read.filter((definition) => definition !== null)
  const byName = new Map<string, Definition>()
  for (const definition of found) if (!byName.has(definition.name)) byName.set(definition.name, definition)
  return byName
}

/** An agent is called as its front matter says, or like its file. */
export function definitionOf(source: string, path: string): Definition {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const head = /^---\n([\s\S]*?)\n---[ \t]*(?:\n|$)/.exec(text)
  const rows = head === null ? new Map<string, string | string[]>() : frontMatter(head[1] ?? '')
  const model = textOf(rows.get('model'))
  const tools = listOf(rows.get('tools'))
  return {
    name: textOf(rows.get('name')) ?? basename(path, '.md'),
    description: textOf(rows.get('description')),
    tools: tools === null || tools.includes('*') ? null : tools,
    model: model === 'inherit' ? null : model,
    instructions: (head === null ? text : text.slice(head[0].length)).trim(),
    file: path,
  }
}

/** Rows `key: value` from the line's start; a row without a value may be followed by `- item` lines or an indented text. */
function frontMatter(head: string): Map<string, string | string[]> {
  const rows = new Map<string, string | string[]>()
  let open: string | null = null
  for (const line of head.split('\n')) {
    const row = /^([A-Za-z][\w-]*):[ \t]*(.*?)[ \t]*$/.exec(line)
    if (row !== null) {
      open = row[1] ?? ''
      rows.set(open, unquoted(/^[>|][+-]?$/.test(row[2] ?? '') ? '' : (row[2] ?? '')))
      continue
    }
    if (open === null || line.trim() === '') continue
    const before = rows.get(open) ?? ''
    const item = /^[ \t]*-[ \t]+(.*?)[ \t]*$/.exec(line)?.[1]
    if (item !== undefined && (Array.isArray(before) || before === '')) {
      rows.set(open, [...(Array.isArray(before) ? before : []), unquoted(item)])
    } else if (/^[ \t]/.test(line) && !Array.isArray(before)) rows.set(open, `${before} ${line.trim()}`.trim())
  }
  return rows
}

function textOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function listOf(value: string | string[] | undefined): string[] | null {
  if (value === undefined || value === '') return null
  const items = Array.isArray(value) ? value : value.replace(/^\[(.*)\]$/, '$1').split(/,(?![^(]*\))/)
  return items.map((item) => unquoted(item.trim())).filter((item) => item !== '')
}

function unquoted(value: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(value)
  return quoted?.[2] ?? value.replace(/\s+#.*$/, '')
}
