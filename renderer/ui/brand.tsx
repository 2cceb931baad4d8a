/** The product's mark: the repeat sign of a score, where playing goes back and on. */
export function Brand() {
  return (
    <svg className="brand" viewBox="0 0 26 40" aria-hidden="true">
      <g fill="currentColor">
        <circle cx="3.5" cy="14" r="3" />
        <circle cx="3.5" cy="26" r="3" />
        <path d="M11 0h2v40h-2zM17 0h7v40h-7z" />
      </g>
    </svg>
  )
}
