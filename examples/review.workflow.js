// A review that checks itself: one agent per area looks for problems, then three judges vote on each of them,
// and only what a majority confirms is reported.
//
//   reprise run examples/review.workflow.js --agent simulated           costs nothing: see how it goes first
//   reprise run examples/review.workflow.js --args '{"areas": ["src/parser", "src/cache.ts"]}' --budget 200000

export const meta = {
  name: 'review',
  description: 'Finds problems in a project and keeps those that two of three judges confirm',
  phases: [
    { title: 'Find', detail: 'One agent per area' },
    { title: 'Verify', detail: 'Three judges per problem' },
    { title: 'Report' },
  ],
}

// An area is a folder, a file or a subject: anything that an agent can look for.
const areas = args?.areas ?? ['error handling', 'input from outside', 'concurrent work', 'tests']

// With a schema the answer is an object of that shape; an agent that answers otherwise is asked again.
const PROBLEMS = {
  type: 'object',
  required: ['problems'],
  properties: {
    problems: {
      type: 'array',
      minItems: 1, // "nothing found" is too easy an answer; what is made up does not survive the vote
      maxItems: 5,
      items: {
        type: 'object',
        required: ['title', 'file', 'severity', 'why'],
        properties: {
          title: { type: 'string', maxLength: 80 },
          file: { type: 'string', description: 'path, with a line number where there is one' },
          severity: { enum: ['high', 'medium', 'low'] },
          why: { type: 'string', description: 'what goes wrong for whom, and when' },
        },
      },
    },
  },
}

const VOTE = {
  type: 'object',
  required: ['verdict', 'reason'],
  properties: { verdict: { enum: ['confirmed', 'refuted'] }, reason: { type: 'string' } },
}

// Judges who look in different ways make different mistakes.
const JUDGES = [
  { name: 'reproduce', task: 'Follow the code step by step and say whether the problem really occurs.' },
  { name: 'refute', task: 'Try to show that it can not happen: look for the check, the caller or the type that prevents it.' },
  { name: 'weigh', task: 'Say whether somebody would notice it in practice and would want it fixed.' },
]
// Tokens kept back so that a run that ends early still has its report.
const RESERVE = 5000

// `Explore` is the read-only role of the default agent: nothing in this workflow changes a file.
const find = (area) =>
  agent(`Look for real problems in this project. Area: ${area}. Read the code; report only what you can point at.`, {
    label: `find: ${area}`,
    phase: 'Find',
    agentType: 'Explore',
    schema: PROBLEMS,
  })

const vote = (problem, judge) =>
  agent(`${judge.task}\n\n${problem.file}: ${problem.title}\n${problem.why}`, {
    label: `${judge.name}: ${problem.title}`,
    phase: 'Verify',
    agentType: 'Explore',
    schema: VOTE,
  })

async function verify(problem) {
  if (budget.remaining() < RESERVE) return { ...problem, status: 'unverified', votes: [] }
  // `parallel` takes functions, not promises: it starts them when there is room.
  const votes = await parallel(JUDGES.map((judge) => () => vote(problem, judge)))
  // A judge who died or was skipped is null: no vote for either side.
  const yes = votes.filter((cast) => cast?.verdict === 'confirmed').length
  return { ...problem, status: yes > JUDGES.length / 2 ? 'confirmed' : 'rejected', votes }
}

// `pipeline` has no barrier: the first area's problems are judged while other areas are still being read.
const perArea = await pipeline(areas, find, async (found, area) => {
  if (found === null) log(`Nothing came back for ${area}`)
  return parallel((found?.problems ?? []).map((problem) => () => verify({ area, ...problem })))
})

const problems = perArea.flat().filter((problem) => problem !== null)
const withStatus = (status) => problems.filter((problem) => problem.status === status)
const confirmed = withStatus('confirmed')
log(`${confirmed.length} of ${problems.length} problems confirmed`)

phase('Report')
const list = confirmed.map((problem) => `- [${problem.severity}] ${problem.file}: ${problem.title}. ${problem.why}`).join('\n')
const words =
  confirmed.length === 0
    ? 'No problem was confirmed.'
    : await agent(`Write a short review of this project: what matters first, and why. Confirmed problems:\n${list}`, { label: 'report' })

return {
  summary: `${confirmed.length} of ${problems.length} problems confirmed in ${areas.length} areas`,
  report: words ?? list, // if the last agent fails, its input still is a report
  confirmed,
  rejected: withStatus('rejected'),
  unverified: withStatus('unverified'),
}
