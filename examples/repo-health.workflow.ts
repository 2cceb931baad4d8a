// How healthy is this git repository? Sizes, churn, TODOs and tests, measured with git alone.
//
//   reprise run examples/repo-health.workflow.ts
//   reprise run examples/repo-health.workflow.ts --args '{"days": 30, "top": 3}'
//
// Every `agent()` here is the built-in `shell` agent: its prompt is a command line and its answer is what the command
// prints. Each answer is on disk before this script sees it, so a run that was killed half-way goes on from there.

export const meta = {
  name: 'repo-health',
  description: 'Sizes, churn, TODO density and test ratio of a git repository',
  phases: [
    { title: 'Measure', detail: 'Lines, TODOs and changes of every file' },
    { title: 'Areas', detail: 'Who changed the largest folders, and when' },
  ],
}

type Options = { days?: number; top?: number }
type Counts = Map<string, number>
type Area = { name: string; lines: number; todos: number; changes: number; authors: number; lastChange: string }

const { days = 90, top = 5 } = (args ?? {}) as Options
if (!Number.isInteger(days) || !Number.isInteger(top)) throw new Error('days and top are whole numbers')

// What a person's own git settings may change about the output is set here.
const git = 'git --literal-pathspecs -c color.ui=false -c grep.fullName=false -c log.showSignature=false'
const history = `${git} log --no-merges --since='${days} days ago'`
// A new repository has no history to ask about; that is no failure.
const ifCommitted = (command: string) => `if git rev-parse -q --verify HEAD > /dev/null; then ${command}; fi`
// `git grep` exits with 1 when it finds nothing; that is a good answer too.
const mayFindNothing = (command: string) => `${command} || test $? -eq 1`
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const shell = (label: string, command: string): Promise<string | null> => agent(command, { agentType: 'shell', label })

// --- Measure: three commands at once; `parallel` waits for all of them --------------------------------------------------

phase('Measure')
const [lineCounts, todoCounts, changed] = await parallel([
  () => shell('lines', mayFindNothing(`${git} grep --cached -I -c -z -e ''`)),
  () => shell('todos', mayFindNothing(`${git} grep --cached -I -c -z -w -E -e 'TODO|FIXME|XXX'`)),
  () => shell('changes', ifCommitted(`${history} --relative --format= --name-only -z -- .`)),
])
// A call that dies gives null, and the run goes on: what to do then is up to the script.
if (lineCounts === null) throw new Error('Nothing could be measured: run this inside a git repository')

const lines = countsPerFile(lineCounts)
const todos = countsPerFile(todoCounts ?? '')
const changes = occurrences((changed ?? '').split('\0'))
log(`${lines.size} text files, ${sum(lines)} lines`)

// --- Areas: each folder goes through both stages on its own, without waiting for the others ------------------------------

phase('Areas')
const folders = [...new Set([...lines.keys()].filter((file) => file.includes('/')).map(folderOf))]
const largest = folders.sort((a, b) => sum(lines, inside(b)) - sum(lines, inside(a))).slice(0, top)

const measured = await pipeline(
  largest,
  (name) => shell(`authors of ${name}`, ifCommitted(`${history} --format=%ae -- ${quoted(name)}`)),
  async (authors, name): Promise<Area> => ({
    name,
    lines: sum(lines, inside(name)),
    todos: sum(todos, inside(name)),
    changes: sum(changes, inside(name)),
    authors: occurrences((authors ?? '').split('\n')).size,
    lastChange: (await shell(`last change of ${name}`, ifCommitted(`${git} log -1 --format=%cs -- ${quoted(name)}`))) ?? 'unknown',
  }),
)
// A stage that throws leaves null in its item's place.
const areas = measured.filter((area) => area !== null)

// --- Report: what a workflow returns is the result of the run -----------------------------------------------------------

const testLines = sum(lines, (file) => isCode(file) && isTest(file))
const codeLines = sum(lines, (file) => isCode(file) && !isTest(file))

return [
  '# Repository health',
  '',
  `- **Size:** ${sum(lines)} lines in ${lines.size} text files`,
  `- **TODOs:** ${sum(todos)}, that is ${ratio(sum(todos) * 1000, sum(lines))} in 1000 lines`,
  `- **Tests:** ${testLines} lines for ${codeLines} lines of code, that is ${ratio(testLines * 100, codeLines)} for 100`,
  `- **Churn:** ${changes.size} files changed in ${days} days`,
  '',
  ...table(['Largest folders', 'Lines', 'TODOs', 'Changes', 'Authors', 'Last change'], areas.map((area) => Object.values(area))),
  ...table(['Most changed files', 'Changes'], largestFirst(changes).slice(0, top)),
  ...table(['Largest files', 'Lines'], largestFirst(lines).slice(0, top)),
].join('\n')

function table(head: string[], rows: (string | number)[][]): string[] {
  // Names may hold what would end a cell or a row.
  const cells = rows.map((row) => row.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')))
  return [head, head.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).concat('')
}

// `git grep -c -z` writes a name, a zero byte, a number and a newline for each file: names may hold anything else.
function countsPerFile(output: string): Counts {
  const counts: Counts = new Map()
  for (const [, file, count] of output.matchAll(/([^\0]+)\0(\d+)(?:\n|$)/g)) counts.set(file, Number(count))
  return counts
}

function occurrences(names: string[]): Counts {
  const counts: Counts = new Map()
  for (const name of names) if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function sum(counts: Counts, wanted: (file: string) => boolean = () => true): number {
  return [...counts].reduce((total, [file, count]) => (wanted(file) ? total + count : total), 0)
}

function largestFirst(counts: Counts): [string, number][] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}

function folderOf(file: string): string {
  return file.slice(0, file.indexOf('/'))
}

function inside(folder: string): (file: string) => boolean {
  return (file) => file.startsWith(`${folder}/`)
}

function isCode(file: string): boolean {
  return /\.(c|cc|cpp|cs|css|dart|ex|exs|go|h|hpp|html|java|jsx?|kt|lua|m|mm|mjs|cjs|php|pl|py|r|rb|rs|scala|sh|sql|svelte|swift|tsx?|vue|zig)$/i.test(file)
}

function isTest(file: string): boolean {
  return /(^|\/)(tests?|specs?|__tests__)\/|(^|\/)test_[^/]*$|[._-](test|spec)\.[^/.]+$/i.test(file)
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? '0' : (part / whole).toFixed(1)
}
