const plan = await agent('plan')
const decision = await gate('Go on with this plan?', { show: plan, options: ['go', 'stop'] })
return { choice: decision.choice, note: decision.note, by: typeof decision.by, at: decision.at > 0, done: await agent('do ' + decision.choice) }
