const seen = []
const all = await parallel(Array.from({ length: 8 }, (_, i) => async () => {
  const text = await agent(`step ${i} [[delay:${50 + (i * 37) % 90}]]`)
  seen.push(i)
  return agent(`${text} after ${seen.slice(-2)} [[delay:${30 + (i * 53) % 70}]]`)
}))
return { all, seen, spent: budget.spent(), chance: [random(), uuid()], moved: now() > 0 }
