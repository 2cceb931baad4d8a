phase('Find')
const seen = []
const found = await parallel([60, 20, 40].map((ms, i) => () =>
  agent(`find ${i} [[delay:${ms}]]`, { label: 'find ' + i }).then((text) => { seen.push(i); return text })))
phase('Check')
const checked = await pipeline(found, (text) => agent('check ' + text), (text, _, i) => agent(`vote ${i} after ${seen}: ${text}`))
return { seen, checked }
