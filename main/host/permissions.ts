/**
 * Whether the agent of one task may use a tool: by its profile's rules, by what was allowed for good before, by a person. Without an
 * answer in time it may not.
 */
import { assertNever } from '../../shared/assert-never.ts'
import type { Clock, PermissionAnswer, PermissionQuestion } from '../engine/ports.ts'
import type { Job } from './agent-job.ts'
import type { TaskLog } from './task-log.ts'

/** A permission that nobody answers is denied after this time. */
export const PERMISSION_MS = 10 * 60_000
const ANSWER_WORDS: Readonly<Record<PermissionAnswer, string>> = {
  'allow-once': 'allowed',
  'allow-always': 'allowed for the rest of the run',
  deny: 'denied',
}

export interface PermissionsOptions {
  job: Pick<Job, 'rule' | 'mask' | 'profile'>
  log: TaskLog
  clock: Clock
  /** Tools that somebody allowed for good, as `profile tool`, as long as the attempt lasts: of all its tasks. */
  allowed: Set<string>
  /** Aborted when the task is over, or ends. Made for each question: few tasks ask one. */
  over(): AbortSignal
  /** Told of what was allowed, for the transcript, and of why something was denied, for the agent's story. */
  onTold(kind: 'permission' | 'notice', text: string): void
}

export class Permissions {
  readonly #options: PermissionsOptions
  readonly #open = new Map<string, (answer: PermissionAnswer) => void>()

  constructor(options: PermissionsOptions) {
    this.#options = options
  }

  /** A person is being asked. */
  get isAsking(): boolean {
    return this.#open.size > 0
  }

  /** Answers an open question; the first answer counts. */
  answer(question: string, answer: PermissionAnswer): void {
    this.#open.get(question)?.(answer)
  }

  async mayUse(asked: PermissionQuestion): Promise<PermissionAnswer> {
    const { job, allowed, onTold } = this.#options
    const question = { ...asked, title: job.mask.text(asked.title), input: job.mask.json(asked.input) }
    const note = (what: string): void => onTold('permission', `${question.title}: ${what}`)
    const rule = job.rule(question.tool)
    switch (rule.answer) {
      case 'allow':
        note('allowed by the profile')
        return 'allow-once'
      case 'deny':
        note('denied')
        onTold('notice', `Denied: ${rule.why}`)
        return 'deny'
      case 'ask': {
        const always = `${job.profile?.name ?? ''} ${question.tool}`
        const isAllowed = allowed.has(always)
        const answer = isAllowed ? 'allow-once' : await this.#ask(question)
        if (answer === 'allow-always') allowed.add(always)
        note(isAllowed ? 'allowed before' : ANSWER_WORDS[answer])
        return answer
      }
      default:
        return assertNever(rule)
    }
  }

  async #ask(question: PermissionQuestion): Promise<PermissionAnswer> {
    const { clock, log, over } = this.#options
    const answered = new Promise<PermissionAnswer>((resolve) => this.#open.set(question.id, resolve))
    const nobody = clock.after(PERMISSION_MS, over()).then(
      () => 'deny' as const,
      () => 'deny' as const,
    )
    log.asked(question)
    const answer = await Promise.race([answered, nobody])
    this.#open.delete(question.id)
    log.answered(question, answer)
    return answer
  }
}
