/** A permission that an agent asks for, under the timeline: it covers no row and takes no focus. One at a time, oldest first. */
import type { RunView } from '../../../shared/run/view.ts'
import { answerQuestion } from '../../commands/actions.ts'
import { openQuestions } from '../../commands/open-questions.ts'
import { useKeyHint } from '../../commands/use-commands.ts'
import { useRun, useStores } from '../../store/stores.ts'
import { useNow } from '../../store/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { counted, duration } from '../../words/quantity.ts'

export function QuestionDock({ view }: { view: RunView }) {
  const stores = useStores()
  const now = useNow(true)
  const stale = useRun((state) => state.staleSince !== null)
  const hints = { allow: useKeyHint('answer-allow'), always: useKeyHint('answer-always'), deny: useKeyHint('answer-deny') }
  const all = openQuestions(view)
  const [first] = all
  if (first === undefined) return null
  const { call, question } = first
  const whyNot = stale ? 'Off until updates return' : null
  return (
    <section className="ask" data-tone="waiting" aria-labelledby="asked">
      <header>
        <Glyph tone="waiting" />
        <h2 id="asked">
          {call.label ?? call.title} asks to use {question.tool}
        </h2>
        <span className="dense secondary">
          {duration(Math.max(0, now - question.at))} ago{all.length > 1 ? `, ${counted(all.length - 1, 'more question')} after it` : ''}
        </span>
      </header>
      <code className="ask-what">{question.title}</code>
      <div className="form-line">
        <Button hint={hints.allow} whyNot={whyNot} onClick={() => void answerQuestion(stores, view, first, 'allow-once')}>
          Allow once
        </Button>
        <Button hint={hints.always} whyNot={whyNot} onClick={() => void answerQuestion(stores, view, first, 'allow-always')}>
          Allow always
        </Button>
        <Button hint={hints.deny} whyNot={whyNot} onClick={() => void answerQuestion(stores, view, first, 'deny')}>
          Deny
        </Button>
        <button type="button" className="link" onClick={() => stores.run.getState().select(`call:${call.callId}`)}>
          Show the call
        </button>
        <span className="dense secondary">
          Always means this tool of this agent until the attempt ends. Deny ends this one use, not the call.
        </span>
      </div>
    </section>
  )
}
