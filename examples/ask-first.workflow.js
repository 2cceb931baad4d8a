// A gate: the run writes a plan, shows it to you, and goes on with what you choose. Nothing real is started and nothing is spent.
//
//   reprise run examples/ask-first.workflow.js --agent simulated

export const meta = {
  name: 'ask-first',
  description: 'Five seconds without an account: write a plan, wait for your word, do what you chose',
  phases: [{ title: 'Plan' }, { title: 'Ask' }, { title: 'Do' }],
}

phase('Plan')
const plan = await agent(
  'Plan the release [[delay:2000]] [[text:Raise the version; Write the notes; Tag it; Publish nothing before you agree]]',
  { label: 'plan' },
)

phase('Ask')
const shown = (plan ?? 'No plan came back').split('; ').map((line, i) => `${i + 1}. ${line}`)
const { choice, note } = await gate('Go on with this plan?', { show: shown.join('\n'), options: ['Go on', 'Only the notes'] })
log(note ? `${choice}: ${note}` : choice)

phase('Do')
const steps = choice === 'Go on' ? ['version', 'notes', 'tag'] : ['notes']
return await parallel(steps.map((step) => () => agent(`Do: ${step} [[delay:1500]] [[text:${step} done]]`, { label: step })))
