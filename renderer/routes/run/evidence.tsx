/** What a check found: how its command ended and what it wrote, as text. */
import type { Json } from '../../../shared/json.ts'
import { State } from '../../ui/glyph.tsx'
import { counted, duration } from '../../words/quantity.ts'
import { Block } from './inspector-parts.tsx'

export interface Evidence {
  exitCode: number
  stdout: string
  stderr: string
  durationMs: number
}

/** Null for an output that no check gave. */
export function readEvidence(output: Json): Evidence | null {
  if (output === null || typeof output !== 'object' || Array.isArray(output)) return null
  const { exitCode, stdout, stderr, durationMs } = output
  if (typeof exitCode !== 'number' || typeof stdout !== 'string' || typeof stderr !== 'string' || typeof durationMs !== 'number')
    return null
  return { exitCode, stdout, stderr, durationMs }
}

export function EvidenceView({ evidence }: { evidence: Evidence }) {
  const { exitCode, stdout, stderr, durationMs } = evidence
  return (
    <>
      <section className="block" aria-label="Evidence">
        <header>
          <h3>Evidence</h3>
        </header>
        <p className="dense">
          <State tone={exitCode === 0 ? 'completed' : 'failed'}>Exit code {exitCode}</State> after {duration(durationMs)}
        </p>
      </section>
      <Written title="Standard output" text={stdout} />
      <Written title="Standard error" text={stderr} />
    </>
  )
}

function Written({ title, text }: { title: string; text: string }) {
  if (text !== '') return <Block title={title} text={text} note={counted(text.replace(/\n$/, '').split('\n').length, 'line')} />
  return (
    <section className="block">
      <header>
        <h3>{title}</h3>
        <span>nothing</span>
      </header>
    </section>
  )
}
