/** Line icons that are no state; always beside words or under an accessible name. */
const line = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' } as const

const ICONS = {
  down: <path d="m4.5 6.3 3.5 3.5 3.5-3.5" {...line} strokeWidth="1.5" />,
  right: <path d="M6.3 4.5 9.8 8l-3.5 3.5" {...line} strokeWidth="1.5" />,
  left: <path d="M9.7 4.5 6.2 8l3.5 3.5" {...line} strokeWidth="1.5" />,
  search: (
    <g {...line} strokeWidth="1.4">
      <circle cx="7" cy="7" r="4.2" />
      <path d="m10.2 10.2 3 3" />
    </g>
  ),
  plus: <path d="M8 3.5v9M3.5 8h9" {...line} strokeWidth="1.5" />,
  minus: <path d="M3.5 8h9" {...line} strokeWidth="1.5" />,
  close: <path d="m4.5 4.5 7 7M11.5 4.5l-7 7" {...line} strokeWidth="1.3" />,
  check: <path d="m3.5 8.5 3 3 6-6.7" {...line} strokeWidth="1.6" />,
  copy: (
    <g {...line} strokeWidth="1.3">
      <rect x="5.7" y="5.7" width="7.6" height="7.6" rx="1.4" />
      <path d="M10.3 5.5V4A1.3 1.3 0 0 0 9 2.7H4A1.3 1.3 0 0 0 2.7 4v5A1.3 1.3 0 0 0 4 10.3h1.5" />
    </g>
  ),
  more: (
    <g fill="currentColor">
      <circle cx="3.5" cy="8" r="1.2" />
      <circle cx="8" cy="8" r="1.2" />
      <circle cx="12.5" cy="8" r="1.2" />
    </g>
  ),
  stop: <rect x="3.8" y="3.8" width="8.4" height="8.4" rx="1" fill="currentColor" />,
  settings: (
    <g {...line} strokeWidth="1.4">
      <path d="M2.5 5h5M11 5h2.5M2.5 11H5M8.5 11h5" />
      <circle cx="9.2" cy="5" r="1.7" />
      <circle cx="6.8" cy="11" r="1.7" />
    </g>
  ),
  pin: <path d="M5.5 2.8h5M6.3 2.8v4L4 9.2h8L9.7 6.8v-4M8 9.2v4.3" {...line} strokeWidth="1.3" />,
  open: <path d="M9 3h4v4M13 3 7.5 8.5M11 9.5V13H3V5h3.5" {...line} strokeWidth="1.3" />,
  script: <path d="M4 2.7h5l3 3v7.6H4zM9 2.7v3h3" {...line} strokeWidth="1.3" />,
} as const

export type IconName = keyof typeof ICONS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      {ICONS[name]}
    </svg>
  )
}
