phase('Ask')
return { name: args.name, said: await agent('child ' + args.name + (args.name === 'one' ? ' [[delay:80]]' : '')), drawn: random() }
