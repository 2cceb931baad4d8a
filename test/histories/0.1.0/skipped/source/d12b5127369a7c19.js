const [waited, other] = await parallel([() => agent('stuck [[hang]]'), () => agent('other')])
return { waited, other, after: await agent('after ' + waited) }
