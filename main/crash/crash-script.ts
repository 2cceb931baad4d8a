/** The workflow that is killed over and over: so many lanes of calls, each of which asks with the answer of the one before. */

import { AppError } from '../../shared/errors.ts'
import type { Json } from '../../shared/json.ts'
import { checkScript } from '../engine/source/check-script.ts'
import { sha256Of } from '../store/payload.ts'
import type { EngineInit } from './engine-messages.ts'

/** The first lane's second answer is longer than what the journal holds inline, so that it lies in a file of its own. */
const LARGE = 70_000

const TEXT = `const { lanes, steps } = args
const lane = (l) => async () => {
  const answers = []
  for (let s = 0; s < steps; s++) {
    const answer = l === 0 && s === 1 ? 'answer 0.1 '.padEnd(${LARGE}, '.') : \`answer \${l}.\${s}\`
    const before = (answers.at(-1) ?? 'nothing').slice(0, 40)
    answers.push(await agent(\`Lane \${l}, step \${s}, after \${before} [[delay:\${(l * 7 + s * 3) % 5}]][[text:\${answer}]]\`))
  }
  return answers.map((answer) => answer.slice(0, 10).trim())
}
return await parallel(Array.from({ length: lanes }, (_, l) => lane(l)))
`

export async function crashScript(): Promise<EngineInit['script']> {
  const { prepared, diagnostics } = await checkScript(TEXT, 'crash-test.mjs')
  if (prepared === null)
    throw new AppError('internal', `The script of the crash test is refused: ${diagnostics[0]?.message ?? 'no reason'}`)
  return { text: TEXT, sha256: sha256Of(TEXT), prepared }
}

/** What the script returns when nothing was lost or mixed up. */
export function expectedValue(lanes: number, steps: number): Json {
  return Array.from({ length: lanes }, (_, l) => Array.from({ length: steps }, (_, s) => `answer ${l}.${s}`.slice(0, 10).trim()))
}

/** Calls of one run: enough to be killed in several times, few enough to come to its end between. */
export function stepsFor(lanes: number): number {
  return Math.max(3, Math.ceil(20 / lanes))
}
