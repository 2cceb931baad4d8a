/** The script that `reprise new` writes: small, runs as it is, and shows each global once. */

export function starterScript(name: string): string {
  return `export const meta = {
  name: '${name}',
  description: 'Looks at a topic from three sides and sums up',
  phases: ['Collect', 'Sum up'],
}

// Input: reprise run ${name} --arg topic="error handling"
const { topic = 'this project' } = (args ?? {}) as { topic?: string }

phase('Collect')
const sides = ['strengths', 'weaknesses', 'open questions']
const notes = await parallel(
  sides.map((side) => () => agent(\`List the \${side} of \${topic}, five lines at most.\`, { label: side })),
)

// A call that died gives null; the run goes on, and resume tries it again.
const found = notes.filter((note) => note !== null)
log(\`\${found.length} of \${sides.length} notes\`)

phase('Sum up')
const summary = await agent(\`Sum up in three sentences:\\n\\n\${found.join('\\n\\n')}\`, { label: 'summary' })

export default { topic, summary }
`
}
