/** What the script logged, a line each with its time in the attempt. */
import { clock } from '../../../shared/run/timeline.ts'
import type { LogLine, RunView } from '../../../shared/run/view.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Glyph } from '../../ui/glyph.tsx'

export function logText(lines: readonly LogLine[]): string {
  return lines.map((line) => line.text).join('\n')
}

export function LogLines({ view, lines }: { view: RunView; lines: readonly LogLine[] }) {
  return (
    <ol className="log">
      {lines.map((line) => (
        <li key={line.seq}>
          <time>{line.at < view.attemptStartedAt ? 'earlier' : clock(line.at - view.attemptStartedAt)}</time>
          <span>
            {line.level === 'warning' && (
              <>
                <Glyph tone="warning" />
                <span className="heard">Warning: </span>
              </>
            )}
            {line.text}
          </span>
        </li>
      ))}
    </ol>
  )
}

export function LogBlock({ view }: { view: RunView }) {
  if (view.log.length === 0) return null
  return (
    <section className="block">
      <header>
        <h3>Log</h3>
        <span>{view.log.length}</span>
        <CopyButton what="Log" text={() => logText(view.log)} />
      </header>
      <LogLines view={view} lines={view.log} />
    </section>
  )
}
