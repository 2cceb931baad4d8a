/** Text without what a terminal would act on, scrolling inside its own box and reachable by keyboard. */
import clsx from 'clsx'
import { plainText } from '../words/plain-text.ts'

export function TextBlock({ label, text, error = false }: { label: string; text: string; error?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section className={clsx('text-block', error && 'text-block--error')} tabIndex={0} aria-label={label}>
      {plainText(text)}
    </section>
  )
}
