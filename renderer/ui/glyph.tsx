/** The mark of a state: one vector shape a tone, in the tone's ink. Always beside its word, so hidden from screen readers. */
import type { Tone } from '../../shared/run/status.ts'

const line = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' } as const

const SHAPES: Record<Tone | 'warning', React.ReactNode> = {
  queued: <circle cx="8" cy="8" r="5.4" {...line} strokeWidth="1.9" strokeDasharray=".1 3.29" />,
  running: <path d="M4.6 3.2v9.6L12.8 8z" fill="currentColor" stroke="currentColor" strokeWidth="1.2" strokeLinejoin="round" />,
  waiting: <path d="M8 2.2 13.8 8 8 13.8 2.2 8z" {...line} strokeWidth="1.7" />,
  paused: <path d="M5.5 3.5v9M10.5 3.5v9" {...line} strokeWidth="2.2" />,
  completed: <path d="m3 8.6 3.3 3.3L13 4.6" {...line} strokeWidth="1.9" />,
  partial: (
    <>
      <path d="m2 7.4 3.2 3.2 6.4-7" {...line} strokeWidth="1.9" />
      <rect x="11" y="10.6" width="4.4" height="4.4" rx=".6" fill="var(--failed)" />
    </>
  ),
  replayed: <path d="M3.2 2.8v3.7h3.7M3.6 6.3A5 5 0 1 1 3 8.8" {...line} strokeWidth="1.7" />,
  failed: <path d="m4 4 8 8M12 4l-8 8" {...line} strokeWidth="1.9" />,
  stopped: <rect x="3.6" y="3.6" width="8.8" height="8.8" rx="1" fill="currentColor" />,
  interrupted: (
    <g {...line} strokeWidth="1.6">
      <circle cx="8" cy="8" r="5.4" />
      <path d="m4.4 11.6 7.2-7.2" />
    </g>
  ),
  skipped: <path d="M4 8h8" {...line} strokeWidth="1.8" />,
  next: <circle cx="8" cy="8" r="4.6" {...line} strokeWidth="1.3" />,
  warning: (
    <g {...line} strokeWidth="1.5">
      <path d="M8 2.4 14.2 13H1.8z" />
      <path d="M8 6.4v3.2M8 11.2v.2" />
    </g>
  ),
}

export function Glyph({ tone, large = false }: { tone: Tone | 'warning'; large?: boolean }) {
  return (
    <svg className={large ? 'glyph glyph--large' : 'glyph'} data-tone={tone} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[tone]}
    </svg>
  )
}

/** Glyph and word of a state, in its ink. */
export function State({ tone, children }: { tone: Tone | 'warning'; children: React.ReactNode }) {
  return (
    <span className="state" data-tone={tone}>
      <Glyph tone={tone} />
      {children}
    </span>
  )
}
