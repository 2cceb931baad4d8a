/** What reading the script told before any of it ran: can it run, what to know, what it reaches for. */
import type { Preflight } from '../../../shared/contract/runs.ts'
import { useStores } from '../../store/stores.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { counted } from '../../words/quantity.ts'

export function errorsOf(preflight: Preflight): Preflight['diagnostics'] {
  return preflight.diagnostics.filter((one) => one.severity === 'error')
}

function verdict(errors: number, warnings: number): string {
  if (errors > 0) return `Can't run: ${counted(errors, 'error')}`
  return warnings === 0 ? 'Ready to run' : `Ready to run, ${counted(warnings, 'warning')}`
}

export function PreflightPanel({ preflight }: { preflight: Preflight }) {
  const stores = useStores()
  const errors = errorsOf(preflight)
  const warnings = preflight.diagnostics.filter((one) => one.severity === 'warning')
  return (
    <section className="panel" aria-label="Preflight">
      <div className="finding">
        <Glyph tone={errors.length > 0 ? 'failed' : 'completed'} />
        <div>
          <h3>{verdict(errors.length, warnings.length)}</h3>
          <p className="more">The script was read, not run.</p>
        </div>
        <span className="more">{counted(preflight.text.split('\n').length, 'line')}</span>
      </div>
      {[...errors, ...warnings].map((one) => (
        <div className="finding" key={`${one.line}:${one.column}:${one.code}`}>
          <Glyph tone={one.severity === 'error' ? 'failed' : 'warning'} />
          <div>
            <p>
              <span className="heard">{one.severity === 'error' ? 'Error: ' : 'Warning: '}</span>
              {one.message}
            </p>
          </div>
          <button
            type="button"
            className="link"
            onClick={() => {
              stores.window.getState().closeSheet()
              stores.window.getState().go({ name: 'workflow', path: preflight.path, line: one.line })
            }}
          >
            Open at line {one.line}
          </button>
        </div>
      ))}
      <Tags preflight={preflight} />
    </section>
  )
}

function Tags({ preflight }: { preflight: Preflight }) {
  const { uses } = preflight
  const agents = [...new Set(uses.agentTypes.map((agent) => agent.name))]
  const tags = [
    uses.defaultAgent ? 'default agent' : null,
    ...agents.map((name) => `agent ${name}`),
    ...new Set(uses.models.map((model) => `model ${model.name}`)),
    uses.checks ? 'runs commands' : null,
    uses.worktrees ? 'works in worktrees' : null,
  ].filter((tag) => tag !== null)
  if (tags.length === 0) return null
  return (
    <ul className="tags" aria-label="Uses">
      {tags.map((tag) => (
        <li className="tag" key={tag}>
          {tag}
        </li>
      ))}
    </ul>
  )
}
