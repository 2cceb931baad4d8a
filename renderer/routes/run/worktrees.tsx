/** The copies of the project that a run or its calls worked in: what was changed there, and what becomes of it. */
import { useState } from 'react'
import type { Worktree } from '../../../shared/contract/worktrees.ts'
import type { ErrorData } from '../../../shared/errors.ts'
import type { RunView } from '../../../shared/run/view.ts'
import { useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextBlock } from '../../ui/text-block.tsx'
import { counted } from '../../words/quantity.ts'
import { useWorktrees } from './use-worktrees.ts'

/** @param of the call whose copy is shown; null for all copies of the run */
export function Worktrees({ view, of }: { view: RunView; of: number | null }) {
  const { run } = useStores()
  const list = useWorktrees(view, of === null ? view.endedAt : (view.calls.find((call) => call.callId === of)?.endedAt ?? null))
  const shown = of === null ? list : list.filter((one) => one.callId === of)
  if (shown.length === 0) return null
  return (
    <section className="block">
      <header>
        <h3>{shown.length === 1 ? 'Worktree' : 'Worktrees'}</h3>
        <span>copies of the project; your files are untouched until you apply one</span>
      </header>
      {shown.map((one) => (
        <One key={one.path} worktree={one} view={view} onGone={run.getState().worktreeGone} />
      ))}
    </section>
  )
}

function One({ worktree, view, onGone }: { worktree: Worktree; view: RunView; onGone: () => void }) {
  const { bridge, window: frame } = useStores()
  const [diff, setDiff] = useState<string | null>(null)
  const [error, setError] = useState<ErrorData | null>(null)
  const { callId, files } = worktree
  const at = { runId: view.runId, callId }
  const name = worktree.label ?? (callId === null ? 'the whole run' : `call ${callId}`)
  const whyNot = worktree.atWork ? 'Somebody works there now' : null
  const end = async (how: 'apply' | 'discard') => {
    const answer = await (how === 'apply' ? bridge.runs.applyWorktree(at) : bridge.runs.discardWorktree(at))
    if (!answer.ok) return setError(answer.error)
    const said =
      how === 'apply' ? `Applied the changes of ${name}: ${counted(files.length, 'file')}.` : `Discarded the worktree of ${name}.`
    frame.getState().showToast({ text: said, action: null })
    frame.getState().say(said)
    onGone()
  }
  const show = async () => {
    if (diff !== null) return setDiff(null)
    const answer = await bridge.runs.worktreeDiff(at)
    if (answer.ok) setDiff(answer.value.diff)
    else setError(answer.error)
  }
  const open = async () => {
    const answer = await bridge.runs.openWorktree(at)
    if (!answer.ok) setError(answer.error)
  }
  const askDiscard = () =>
    frame.getState().openSheet({
      name: 'confirm',
      question: {
        title: `Discard the worktree of ${name}?`,
        text: `Its branch ${worktree.branch} and the changes in ${counted(files.length, 'file')} are gone then.`,
        yes: 'Discard',
        no: 'Keep',
        go: () => void end('discard'),
      },
    })
  return (
    <div className="worktree">
      <p className="dense">
        <span className="strong">{name}</span>{' '}
        <span className="secondary">
          {files.length === 0 ? 'nothing changed' : files.map((file) => `${file.path} +${file.added} −${file.removed}`).join(', ')}
        </span>
      </p>
      <div className="form-line">
        <Button whyNot={whyNot ?? (files.length === 0 ? 'Nothing was changed there' : null)} onClick={() => void end('apply')}>
          Apply
        </Button>
        <Button whyNot={whyNot} onClick={askDiscard}>
          Discard…
        </Button>
        <Button look="quiet" aria-expanded={diff !== null} onClick={() => void show()}>
          {diff === null ? 'View changes' : 'Hide changes'}
        </Button>
        <Button look="quiet" onClick={() => void open()}>
          Reveal
        </Button>
      </div>
      {error !== null && <Failure error={error} />}
      {diff !== null && <TextBlock label={`Changes of ${name}`} text={diff === '' ? 'Nothing changed.' : diff} />}
    </div>
  )
}
