const start = now()
const [slept, other] = await Promise.all([sleep(40), agent('meanwhile [[delay:90]]')])
let looks = 0
const build = await wait(async () => {
  looks += 1
  const text = await agent(`look ${looks}`, { label: 'look' })
  return looks > 2 ? 'green' : 'wait'
}, { name: 'build', intervalsMs: [20, 30], timeoutMs: 60_000 })
const late = await wait(() => 'wait', { intervalsMs: 10, timeoutMs: 25 })
return { slept, other, build, looks, late, took: now() - start }
