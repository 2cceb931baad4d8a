/**
 * What happened to one task so far, told to everybody who attaches: first what was, then what comes. A chatty task keeps
 * its latest events only; how it ended is always kept.
 */
import { assertNever } from '../../shared/assert-never.ts'
import type { AgentEvent, Outcome, PermissionAnswer, PermissionQuestion, TaskListener } from '../engine/ports.ts'

const KEPT_EVENTS = 1000

type StartInfo = Parameters<TaskListener['started']>[0]

type Entry =
  | { is: 'started'; info: StartInfo }
  | { is: 'event'; event: AgentEvent }
  | { is: 'asked'; question: PermissionQuestion }
  | { is: 'ended'; outcome: Outcome }

export class TaskLog {
  /** Resolves when the task has ended. */
  readonly ended: Promise<void>
  private settle: () => void = () => {}
  private entries: Entry[] = []
  private events = 0
  private over = false
  private readonly listeners = new Set<TaskListener>()

  constructor() {
    this.ended = new Promise((resolve) => {
      this.settle = resolve
    })
  }

  /** The listener is not called before this returns. */
  attach(listener: TaskListener): void {
    queueMicrotask(() => {
      for (const entry of this.entries) tell(listener, entry)
      this.listeners.add(listener)
    })
  }

  started(info: StartInfo): void {
    this.add({ is: 'started', info })
  }

  event(event: AgentEvent): void {
    if (this.over) return
    this.events += 1
    if (this.events > KEPT_EVENTS) {
      const oldest = this.entries.findIndex((entry) => entry.is === 'event')
      this.entries.splice(oldest, 1)
    }
    this.add({ is: 'event', event })
  }

  asked(question: PermissionQuestion): void {
    this.add({ is: 'asked', question })
  }

  /** A question that is settled is not put to those who come later. */
  answered(question: PermissionQuestion, answer: PermissionAnswer): void {
    this.entries = this.entries.filter((entry) => entry.is !== 'asked' || entry.question !== question)
    if (!this.over) for (const listener of this.listeners) listener.answered(question.id, answer)
  }

  end(outcome: Outcome): void {
    if (this.over) return
    this.add({ is: 'ended', outcome })
    this.over = true
    this.listeners.clear()
    this.settle()
  }

  private add(entry: Entry): void {
    if (this.over) return
    this.entries.push(entry)
    for (const listener of this.listeners) tell(listener, entry)
  }
}

function tell(listener: TaskListener, entry: Entry): void {
  switch (entry.is) {
    case 'started':
      listener.started(entry.info)
      break
    case 'event':
      listener.event(entry.event)
      break
    case 'asked':
      listener.asked(entry.question)
      break
    case 'ended':
      listener.ended(entry.outcome)
      break
    default:
      assertNever(entry)
  }
}
