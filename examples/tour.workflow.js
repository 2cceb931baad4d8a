// The tour: twenty seconds that show what a run looks like. Nothing real is started and nothing is spent.
//
//   reprise run examples/tour.workflow.js --agent simulated
//
// Stop it half-way, or close the window, and resume it: what is done is replayed, only the rest runs.

export const meta = {
  name: 'tour',
  description: 'Twenty seconds without an account: read six files, doubt what was found, write it up',
  phases: [
    { title: 'Read', detail: 'One call per file' },
    { title: 'Doubt', detail: 'Each finding is checked by another call' },
    { title: 'Report' },
  ],
}

// The simulated agent obeys marks in the prompt. A real agent is simply asked.
const takes = (seconds) => `[[delay:${seconds * 1000}]] [[tokens:${seconds * 210}]]`
const says = (text) => `[[text:${text}]]`

const FILES = [
  { name: 'parser.ts', read: 3, doubt: 4, found: 'An empty file is read twice' },
  { name: 'cache.ts', read: 5, doubt: 3, found: 'Entries never expire' },
  { name: 'retry.ts', read: 2, doubt: 5, found: 'The last try waits for nothing' },
  { name: 'paths.ts', read: 4, doubt: 2, found: 'A link can leave the folder' },
  { name: 'clock.ts', read: 6, doubt: 3, found: 'Nothing to complain about' },
  { name: 'queue.ts', read: 3, doubt: 4, found: 'A full queue drops the oldest' },
]

phase('Read')
const findings = await parallel(
  FILES.map((file) => () => agent(`Look for a mistake in ${file.name} ${takes(file.read)} ${says(file.found)}`, { label: file.name })),
)

phase('Doubt')
const verdicts = await pipeline(findings, (finding, _, i) =>
  agent(`Try to refute: ${finding} ${takes(FILES[i].doubt)} ${says(i === 4 ? 'refuted' : 'confirmed')}`, { label: `doubt ${FILES[i].name}` }),
)
log(`${verdicts.filter((verdict) => verdict === 'confirmed').length} of ${findings.length} findings are confirmed`)

phase('Report')
return await agent(`Write up what was confirmed ${takes(3)} ${says('Five findings are confirmed; the links come first.')}`, { label: 'report' })
