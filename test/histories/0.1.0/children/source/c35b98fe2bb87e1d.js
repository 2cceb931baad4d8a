const [one, two] = await parallel(['one', 'two'].map((name) => () => workflow({ scriptPath: 'child.js' }, { name })))
const failed = await workflow({ scriptPath: 'failing.js' }).catch((error) => [error.code, error.message])
return { one, two, failed, after: await agent('after ' + one.said) }
