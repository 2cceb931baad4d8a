const large = await agent('head -c 70000 /dev/zero | tr "\\0" x')
const small = await agent('echo ' + large.length)
return { length: large.length, small }
