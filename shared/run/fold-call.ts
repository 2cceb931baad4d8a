/** What an event does to the call that it is about. Pure. */
import { assertNever } from '../assert-never.ts'
import type { RunEvent } from './events.ts'
import type { CallAction, CallView, OpenQuestion } from './view.ts'

type Queued = Extract<RunEvent, { type: 'call.queued' }>
/** Events about a call that was queued before. */
export type CallEvent = Exclude<Extract<RunEvent, { callId: number }>, Queued>

/** As `lastProgress` says it. */
const ANSWERED: Readonly<Record<string, string>> = { 'allow-once': 'Allowed once', 'allow-always': 'Allowed from now on', deny: 'Denied' }

export function queuedCall(event: Queued): CallView {
  const call: CallView = {
    callId: event.callId,
    kind: event.kind,
    label: event.label,
    title: event.title,
    phase: event.phase,
    status: 'queued',
    source: event.source,
    whyLive: event.whyLive,
    agent: event.agent,
    model: event.model,
    fp: event.fp,
    queuedAt: event.at,
    startedAt: null,
    endedAt: null,
    ms: null,
    inputTokens: 0,
    outputTokens: 0,
    cost: null,
    tries: 0,
    summary: '',
    reason: null,
    detail: null,
    backend: null,
    fromAttempt: null,
    lastProgress: null,
    actions: NONE,
  }
  return { ...call, actions: actionsOf(call) }
}

/** The call after one more event; an ended one stays as it is, but a person may skip what was cut off. */
export function foldCall(call: CallView, event: CallEvent): CallView {
  if (!canChange(call, event)) return call
  const after = changed(call, event)
  after.actions = actionsOf(after)
  return after
}

/** True while this event can still say something about the call. */
export function canChange(call: CallView, { type }: CallEvent): boolean {
  return call.endedAt === null || (type === 'call.ended' && call.status === 'cut-off')
}

/** Nobody works on the run any more: nothing can be done to its calls, and nobody waits for an answer. */
export function atRest(call: CallView, change: Partial<Pick<CallView, 'status' | 'endedAt'>>): CallView {
  return { ...silent(call), ...change, actions: [] }
}

/** Always a new object, for the caller to finish. */
function changed(call: CallView, event: CallEvent): CallView {
  switch (event.type) {
    case 'call.started': {
      const { at, wakeAt, streams } = event
      const begun = {
        startedAt: call.startedAt ?? at,
        ...(wakeAt !== undefined && { wakeAt }),
        ...(streams === true && { lastEventAt: at }),
      }
      // Sleeps and gates wait, everything else works.
      return { ...silent(call), ...begun, status: call.kind === 'sleep' || call.kind === 'gate' ? 'waiting' : 'running' }
    }
    case 'call.session':
      return { ...heard(call, event.at), session: event.session }
    case 'call.progress':
      return { ...heard(call, event.at), lastProgress: event.text }
    case 'call.retrying':
      return { ...silent(call), status: 'retrying', tries: event.tries, lastProgress: event.detail }
    case 'permission.asked': {
      const { question, tool, title, at } = event
      return { ...asking(heard(call, at), [...(call.questions ?? []), { question, tool, title, at }]), lastProgress: title }
    }
    case 'permission.answered': {
      const open = (call.questions ?? []).filter(({ question }) => question !== event.question)
      return { ...asking(heard(call, event.at), open), lastProgress: ANSWERED[event.answer] ?? event.answer }
    }
    case 'gate.opened':
      return { ...call, status: 'waiting', options: event.options }
    case 'gate.decided':
      return { ...call, lastProgress: event.choice }
    case 'call.ended': {
      // What was open, and what it did last, tell nothing of a call that has its end.
      const { options: _, ...rest } = silent(call)
      return {
        ...rest,
        status: event.outcome,
        lastProgress: null,
        endedAt: event.at,
        ms: event.ms,
        inputTokens: event.usage.inputTokens,
        outputTokens: event.usage.outputTokens,
        cost: event.cost,
        tries: event.tries,
        summary: event.summary,
        reason: event.reason,
        detail: event.detail,
        backend: event.backend,
        fromAttempt: event.fromAttempt,
      }
    }
    default:
      return assertNever(event)
  }
}

function heard(call: CallView, at: number): CallView {
  return call.lastEventAt === undefined ? call : { ...call, lastEventAt: at }
}

function asking(call: CallView, questions: OpenQuestion[]): CallView {
  const { questions: _, ...rest } = call
  return questions.length === 0 ? { ...rest, status: 'running' } : { ...rest, status: 'waiting', questions }
}

/** Not at work: it asks nothing, and nothing is to be heard of it. */
function silent(call: CallView): CallView {
  if (call.questions === undefined && call.lastEventAt === undefined) return call
  const { questions: _, lastEventAt: __, ...rest } = call
  return rest
}

/** Shared by all calls alike: nobody changes them. */
const NONE: CallAction[] = []
const SKIP: CallAction[] = ['skip']
const SKIP_OR_RETRY: CallAction[] = ['skip', 'retry']

function actionsOf({ endedAt, source, kind, status }: CallView): CallAction[] {
  if (endedAt !== null || source === 'replayed' || kind === 'open-child') return NONE
  return status === 'running' || status === 'retrying' ? SKIP_OR_RETRY : SKIP
}
