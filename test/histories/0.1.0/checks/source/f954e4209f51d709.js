const passed = await check('node -e "process.exit(0)"', { repeatable: true })
const failed = await check(['node', '-e', 'console.log("no"); process.exit(3)'], { label: 'fails', env: { MODE: 'ci' } })
return { codes: [passed?.exitCode, failed?.exitCode, failed?.stdout], after: await agent(`echo after ${failed?.exitCode}`) }
