/**
 * The script of a workflow: read-only until somebody wants to edit it, with what preflight finds at its lines. Saving writes
 * this one file, and only over the text that was seen.
 */
import { useEffect, useState } from 'react'
import type { Preflight } from '../../../shared/contract/runs.ts'
import type { ErrorData } from '../../../shared/errors.ts'
import { openInEditor } from '../../commands/actions.ts'
import { showKey } from '../../commands/keys.ts'
import { useStores } from '../../store/stores.ts'
import { Button } from '../../ui/button.tsx'
import { CodeEditor } from '../../ui/code-editor.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Foot } from '../../ui/foot.tsx'
import { Glyph, State } from '../../ui/glyph.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Top } from '../../ui/top.tsx'
import { counted } from '../../words/quantity.ts'

type Findings = Preflight['diagnostics']

interface Draft {
  text: string
  findings: Findings
}

/** How long the hands rest before the text is read again. */
const REST_MS = 300

export function WorkflowPage({ path, line }: { path: string; line: number | null }) {
  const stores = useStores()
  const [saved, setSaved] = useState<Preflight | null>(null)
  const [draft, setDraft] = useState<Draft | null>(null)
  const [at, setAt] = useState(line === null ? null : { line })
  const [error, setError] = useState<ErrorData | null>(null)
  const editing = draft !== null
  const text = draft?.text ?? saved?.text ?? ''
  const changed = saved !== null && draft !== null && draft.text !== saved.text
  const findings = draft?.findings ?? saved?.diagnostics ?? []

  const read = async () => {
    const answer = await stores.bridge.runs.preflight({ target: { path } })
    setError(answer.ok ? null : answer.error)
    if (answer.ok) setSaved(answer.value)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: read when the page opens for a path
  useEffect(() => void read(), [path])

  const typed = draft?.text ?? null
  useEffect(() => {
    if (typed === null) return
    const timer = setTimeout(async () => {
      const answer = await stores.bridge.workflows.check({ path, text: typed })
      if (answer.ok) setDraft((now) => (now?.text === typed ? { ...now, findings: answer.value } : now))
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [typed, path, stores])

  const save = async () => {
    if (!changed || saved === null || draft === null) return
    const answer = await stores.bridge.workflows.save({ path, text: draft.text, seen: saved.sha256 })
    if (!answer.ok) {
      setError(answer.error)
      return stores.window.getState().say(answer.error.message, 'assertive')
    }
    setDraft(null)
    await read()
    await stores.window.getState().loadWorkflows()
    stores.window.getState().showToast({ text: `Saved ${nameOf(path)}. Nothing else was written.`, action: null })
    stores.window.getState().say('Saved')
  }
  const discard = () => {
    if (!changed) return setDraft(null)
    stores.window.getState().openSheet({
      name: 'confirm',
      question: {
        title: 'Throw your changes away?',
        text: `${nameOf(path)} stays as it is on the disk.`,
        yes: 'Throw away',
        no: 'Keep editing',
        go: () => setDraft(null),
      },
    })
  }
  const leave = () => {
    if (!changed) return stores.window.getState().back()
    stores.window.getState().openSheet({
      name: 'confirm',
      question: {
        title: 'Leave without saving?',
        text: `What you changed in ${nameOf(path)} is lost then.`,
        yes: 'Leave',
        no: 'Keep editing',
        go: () => stores.window.getState().back(),
      },
    })
  }

  return (
    <div className="window window--run">
      <Top>
        <Button look="quiet" onClick={leave}>
          <Icon name="left" />
          Back
        </Button>
        <h1>{nameOf(path)}</h1>
        {changed && <span className="dense secondary">changed, not saved</span>}
        <span className="push" />
        <Button onClick={() => void openInEditor(stores, path)}>
          <Icon name="open" />
          Open in editor
        </Button>
        {editing ? (
          <>
            <Button onClick={discard}>{changed ? 'Throw away…' : 'Done'}</Button>
            <Button look="primary" hint={showKey('Mod+S')} whyNot={changed ? null : 'Nothing is changed'} onClick={() => void save()}>
              Save
            </Button>
          </>
        ) : (
          <Button
            whyNot={saved === null ? 'The script is not read yet' : null}
            onClick={() => saved !== null && setDraft({ text: saved.text, findings: saved.diagnostics })}
          >
            Edit
          </Button>
        )}
        {!editing && (
          <Button look="primary" onClick={() => stores.window.getState().openSheet({ name: 'new-run', target: { path } })}>
            Run…
          </Button>
        )}
      </Top>
      <div className="summary">
        {error !== null && <Failure error={error} retry={() => void read()} />}
        <section className="counts" aria-label="Script">
          <span>{path}</span>
          <span>{counted(text.split('\n').length, 'line')}</span>
          <State tone={findings.some((one) => one.severity === 'error') ? 'failed' : 'completed'}>{verdict(findings)}</State>
          {!editing && <span>Read-only</span>}
          <CopyButton what="Script" text={() => text} />
        </section>
      </div>
      <main
        className="main workflow-text"
        aria-label="Script"
        onKeyDown={(event) => {
          if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 's') return
          event.preventDefault()
          void save()
        }}
      >
        {saved !== null && (
          <CodeEditor
            label={`Text of ${nameOf(path)}`}
            text={text}
            readOnly={!editing}
            goTo={at}
            findings={findings}
            onText={(next) => setDraft((now) => (now === null || now.text === next ? now : { ...now, text: next }))}
          />
        )}
      </main>
      {findings.length > 0 && (
        <aside className="side workflow-findings" aria-label="Findings">
          <ul>
            {findings.map((one) => (
              <li key={`${one.line}:${one.column}:${one.code}:${one.message}`} className="finding">
                <Glyph tone={one.severity === 'error' ? 'failed' : 'warning'} />
                <div>
                  <p>
                    <span className="heard">{one.severity === 'error' ? 'Error: ' : 'Warning: '}</span>
                    {one.message}
                  </p>
                  <button type="button" className="link" onClick={() => setAt({ line: one.line })}>
                    Line {one.line}
                  </button>
                </div>
              </li>
            ))}
          </ul>
        </aside>
      )}
      <Foot place="anywhere">{editing ? 'Saving writes this file and nothing else' : null}</Foot>
    </div>
  )
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path
}

function verdict(findings: Findings): string {
  const errors = findings.filter((one) => one.severity === 'error').length
  if (errors > 0) return counted(errors, 'error')
  return findings.length === 0 ? 'Nothing found' : counted(findings.length, 'warning')
}
