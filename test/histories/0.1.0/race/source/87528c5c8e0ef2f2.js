const first = await Promise.race([agent('slow [[delay:400]]'), agent('fast')])
void agent('nobody waits [[delay:500]]')
return { first, then: await agent('after ' + first) }
