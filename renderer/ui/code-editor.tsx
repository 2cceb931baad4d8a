/** A text editor over CodeMirror: ink and weight from the tokens, findings at their lines, read-only unless it may be edited. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { bracketMatching, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { useEffect, useRef } from 'react'

/** A finding; `line` and `column` count from 1. */
export interface EditorFinding {
  severity: 'error' | 'warning'
  message: string
  line: number
  column: number
}

interface Props {
  label: string
  text: string
  readOnly: boolean
  findings?: readonly EditorFinding[]
  /** The cursor goes to this line (from 1) each time another object is given. */
  goTo?: { line: number } | null
  /** Numbers beside the lines; off for short texts in a form. */
  numbers?: boolean
  describedBy?: string | undefined
  invalid?: boolean
  onText?: (text: string) => void
}

const NO_FINDINGS: readonly EditorFinding[] = []

export function CodeEditor(props: Props) {
  const { label, text, readOnly, findings = NO_FINDINGS, goTo = null, numbers = true, describedBy, invalid = false } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const may = useRef(new Compartment())
  const said = useRef(new Compartment())
  const latest = useRef(props)
  latest.current = props

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; what changes is handed to it below
  useEffect(() => {
    if (place.current === null) return
    const made = new EditorView({
      parent: place.current,
      doc: text,
      extensions: [
        ...(numbers ? [lineNumbers(), lintGutter(), highlightActiveLine()] : []),
        history(),
        // Nothing on a page loops, the caret neither.
        drawSelection({ cursorBlinkRate: 0 }),
        bracketMatching(),
        javascript({ typescript: true }),
        syntaxHighlighting(classHighlighter),
        EditorView.lineWrapping,
        // Tab leaves the editor, so that nobody is caught in it; indenting is Ctrl-].
        keymap.of([...defaultKeymap, ...historyKeymap]),
        may.current.of(mayEdit(readOnly)),
        said.current.of(attributes(label, describedBy, invalid)),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onText?.(update.state.doc.toString())
        }),
      ],
    })
    view.current = made
    return () => {
      made.destroy()
      view.current = null
    }
  }, [])

  useEffect(() => {
    view.current?.dispatch({ effects: may.current.reconfigure(mayEdit(readOnly)) })
  }, [readOnly])
  useEffect(() => {
    view.current?.dispatch({ effects: said.current.reconfigure(attributes(label, describedBy, invalid)) })
  }, [label, describedBy, invalid])
  // A text from outside (read anew, or changes thrown away) replaces what is there.
  useEffect(() => {
    const { current } = view
    if (current === null || current.state.doc.toString() === text) return
    current.dispatch({ changes: { from: 0, to: current.state.doc.length, insert: text } })
  }, [text])
  useEffect(() => {
    const { current } = view
    if (current !== null) current.dispatch(setDiagnostics(current.state, marks(current.state, findings)))
  }, [findings])

  useEffect(() => {
    if (view.current !== null && goTo !== null) showLine(view.current, goTo.line)
  }, [goTo])

  return <div className="code-editor" ref={place} data-readonly={readOnly || undefined} />
}

function mayEdit(readOnly: boolean) {
  return EditorState.readOnly.of(readOnly)
}

function attributes(label: string, describedBy: string | undefined, invalid: boolean) {
  return EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-multiline': 'true',
    ...(describedBy !== undefined && { 'aria-describedby': describedBy }),
    ...(invalid && { 'aria-invalid': 'true' }),
  })
}

function marks(state: EditorState, findings: readonly EditorFinding[]) {
  return findings.map(({ line, column, severity, message }) => {
    const at = state.doc.line(Math.min(Math.max(1, line), state.doc.lines))
    const from = Math.min(at.from + Math.max(0, column - 1), at.to)
    return { from, to: Math.max(from, at.to), severity, message }
  })
}

function showLine(view: EditorView, line: number): void {
  const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines))
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
  view.focus()
}
