const early = await agent('early [[die-once:refused]]', { retries: 0 })
const rest = await parallel([1, 2, 3].map((n) => () => agent(`rest ${n}`)))
const late = await agent('late [[die-once:agent-error]]')
return { early, rest, late }
