/** `reprise answer`: allows or denies what an agent asks for, in a run of whatever process. */
import { assertNever } from '../../../shared/assert-never.ts'
import { AppError } from '../../../shared/errors.ts'
import { command } from '../command.ts'
import { questionOf } from '../permission-question.ts'
import { ownerSilent } from '../tell-owner.ts'
import { oneLine } from '../text/printable.ts'

const ANSWERS = {
  allow: { answer: 'allow-once', done: 'Allowed' },
  always: { answer: 'allow-always', done: 'Allowed from now on' },
  deny: { answer: 'deny', done: 'Denied' },
} as const

const isAnswer = (word: string): word is keyof typeof ANSWERS => Object.hasOwn(ANSWERS, word)

export const answerCommand = command({
  name: 'answer',
  purpose: 'Allow or deny what an agent asks for',
  operands: { usage: '<run> [question] allow|always|deny', min: 2, max: 3, needs: 'a run and your answer, such as “last allow”' },
  notes: [
    'The question is its name or the call that asks it; it may be left out when only one is open. “reprise show <run>” lists them.',
    'What nobody answers for ten minutes is denied. “allow” and “deny” count for this one use;',
    '“always” allows that tool to that agent until the attempt ends.',
  ],
  options: {},
  examples: [
    { line: 'reprise answer last allow', does: 'Allow the only open question of the newest run' },
    { line: 'reprise answer last always', does: 'Allow it, and do not ask for this tool again' },
    { line: 'reprise answer 47 lint deny', does: 'Deny what the call “lint” of run 47 asks for' },
  ],
  async run([reference = '', ...words], _, context) {
    const word = words.at(-1) ?? ''
    if (!isAnswer(word))
      throw new AppError('usage', `Answer with “allow”, “always” or “deny”, not “${oneLine(word)}”. See: reprise help answer`)
    const project = await context.project()
    const service = await context.service()
    const runId = await service.resolveRun(project, reference)
    const { call, question } = questionOf(await service.show(project, runId), words.length === 2 ? (words[0] ?? null) : null)
    const { answer, done } = ANSWERS[word]
    const outcome = await service.answer(project, runId, question.question, answer, 'command line')
    switch (outcome) {
      case 'accepted':
        context.note(`${done}: ${oneLine(question.title)}. The run goes on.`)
        break
      case 'ended':
      case 'refused':
        context.warn(`That question is closed already. Look: ${context.hint(['show', runId, '--call', String(call.callId)])}`)
        break
      case 'no-answer':
        throw ownerSilent(context, runId)
      default:
        return assertNever(outcome)
    }
    if (context.forPrograms) context.document({ runId, callId: call.callId, question: question.question, answer, outcome })
    return outcome === 'accepted' ? 0 : 2
  },
})
