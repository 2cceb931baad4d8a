const schema = { type: 'object', properties: { title: { type: 'string' }, n: { type: 'integer' } }, required: ['title', 'n'] }
const first = await agent('third time lucky [[invalid:2]][[json:{"title":"a","n":1}]]', { schema, model: 'm', effort: 'low' })
const given = await agent('smallest', { schema: { required: ['ok'], type: 'object', properties: { ok: { type: 'boolean' } } } })
return { first, given }
