/** Rules that take a whole run: tries, deaths, limits and what is counted. The agents are simulated. */
import type { RunRule } from './rule.ts'

const NUMBER = "{ schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } }"

export const runRules: RunRule[] = [
  {
    rule: 'the value, the count of calls and the tokens are in the document',
    script: "return await parallel(['a', 'b'].map((x) => () => agent(x + ' [[tokens:7]][[text:' + x + ']]')))",
    document: {
      status: 'completed',
      returnValue: ['a', 'b'],
      counts: { ok: 2, dead: 0, skipped: 0, abandoned: 0, replayed: 0, live: 2 },
      tokens: 14,
    },
    exit: 0,
  },
  {
    rule: 'an answer that breaks its schema is asked again, three times in all, and the call counts once',
    script: `return await agent('n [[invalid:2]][[json:{"n":5}]]', ${NUMBER})`,
    document: { status: 'completed', returnValue: { n: 5 }, counts: { ok: 1, dead: 0, live: 1 } },
    exit: 0,
    started: 3,
  },
  {
    rule: 'after three answers that break the schema the call is dead and gives null',
    script: `return await agent('n [[invalid:9]]', ${NUMBER})`,
    document: { status: 'completed', returnValue: null, counts: { ok: 0, dead: 1 } },
    exit: 3,
    started: 3,
  },
  {
    rule: 'a schema that is none makes the call dead without starting an agent',
    script: "return await agent('x', { schema: { type: 'nonsense' } })",
    document: { status: 'completed', returnValue: null, counts: { dead: 1 } },
    exit: 3,
    started: 0,
  },
  {
    rule: 'retries: 0 takes the first death for the answer',
    script: "return await agent('x [[die-once:agent-error]]', { retries: 0 })",
    document: { status: 'completed', returnValue: null, counts: { ok: 0, dead: 1 } },
    exit: 3,
    started: 1,
  },
  {
    rule: 'a timeout is a death, and the run goes on',
    script: "return [await agent('x [[hang]]', { timeoutMs: 50 }), await agent('y [[text:y]]')]",
    document: { status: 'completed', returnValue: [null, 'y'], counts: { ok: 1, dead: 1 } },
    exit: 3,
    started: 2,
  },
  {
    rule: 'a call that nobody waited for is abandoned, neither ok nor dead',
    script: "agent('x [[hang]]')\nawait agent('y')\nreturn 1",
    options: ['--concurrency', '2'],
    document: { status: 'completed', returnValue: 1, counts: { ok: 1, dead: 0, abandoned: 1 } },
    exit: 0,
  },
  {
    rule: 'a budget that the next call would overdraw, going by the others, pauses the run',
    script: "for (let i = 0; i < 9; i += 1) await agent('n' + i + ' [[tokens:40]]')",
    options: ['--budget', '100'],
    document: { status: 'paused', counts: { ok: 2, dead: 0 }, tokens: 80 },
    exit: 4,
    started: 2,
  },
  {
    rule: 'a used-up quota pauses the run and is no null for the script',
    script: "return await agent('x [[die:quota]]')",
    document: { status: 'paused', counts: { ok: 0, dead: 0 } },
    exit: 4,
  },
  {
    rule: 'five deaths in a row of one reason pause the run',
    script: "for (let i = 0; i < 9; i += 1) await agent('n' + i + ' [[die:refused]]')",
    document: { status: 'paused', counts: { ok: 0, dead: 5 } },
    exit: 4,
    started: 5,
  },
  {
    rule: 'the limit of agents fails the run and keeps what is done',
    script: "for (let i = 0; i < 9; i += 1) await agent('n' + i)",
    options: ['--max-agents', '2'],
    document: { status: 'failed', error: { code: 'call-limit', line: 1 }, counts: { ok: 2 } },
    exit: 1,
    started: 2,
  },
  {
    rule: 'an error of the script fails the run with its place, and keeps what is done',
    script: "await agent('a')\nthrow new Error('mine')",
    document: { status: 'failed', error: { code: 'script-error', line: 2 }, counts: { ok: 1 } },
    exit: 1,
  },
]

export const waitingRules: RunRule[] = [
  {
    rule: 'sleep gives null after its time, which now() tells, and counts as no agent',
    script: 'const start = now()\nconst slept = await sleep(30)\nreturn [slept, now() - start >= 30]',
    document: { status: 'completed', returnValue: [null, true], counts: { ok: 0, live: 0 } },
    exit: 0,
    started: 0,
  },
  {
    rule: 'a time that is none is refused',
    script: 'await sleep(-1)',
    document: { status: 'failed', error: { code: 'bad-call', line: 1 } },
    exit: 1,
  },
  {
    rule: 'in a simulated run a check passes and starts nothing',
    script: "const { exitCode, stdout } = await check('touch made-by-check')\nreturn [exitCode, typeof stdout]",
    document: { status: 'completed', returnValue: [0, 'string'] },
    exit: 0,
    started: 0,
  },
  {
    rule: 'a command that needs a shell is refused without one',
    script: "await check('ls | wc')",
    document: { status: 'failed', error: { code: 'bad-call' } },
    exit: 1,
  },
  {
    rule: 'wait looks until the probe is green',
    script: "let looks = 0\nreturn [await wait(() => (++looks === 3 ? 'green' : 'wait'), { intervalsMs: 5 }), looks]",
    document: { status: 'completed', returnValue: ['green', 3] },
    exit: 0,
  },
  {
    rule: 'wait ends at its time with one more look',
    script: "let looks = 0\nreturn [await wait(() => { looks += 1; return 'wait' }, { intervalsMs: 1000, timeoutMs: 20 }), looks]",
    document: { status: 'completed', returnValue: ['timeout', 2] },
    exit: 0,
  },
  {
    rule: 'a probe that fails, and one that says something else',
    script: "const failed = await wait(() => 'fail')\nreturn [failed, await wait(() => 'maybe').catch((error) => error.code)]",
    document: { status: 'completed', returnValue: ['fail', 'bad-call'] },
    exit: 0,
  },
  {
    rule: 'a run that only a gate holds waits for a person',
    script: "await agent('a')\nreturn await gate('Go on?')",
    document: { status: 'waiting', counts: { ok: 1 } },
    exit: 4,
    started: 1,
  },
  {
    rule: 'a gate that nobody decides in its time gives null',
    script: "return await gate('Go on?', { timeoutMs: 20 })",
    document: { status: 'completed', returnValue: null },
    exit: 0,
  },
]
