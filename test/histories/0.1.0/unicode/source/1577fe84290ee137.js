const names = ['Grüße', '日本語', '🚀👩‍💻', 'e\u0301', '\ud800', 'line\u2028separator', '"quotes" \\ and \n lines']
const answers = await parallel(names.map((name) => () => agent(`[[text:${name}]] ${name}`, { label: name, phase: name })))
return { answers, args }
