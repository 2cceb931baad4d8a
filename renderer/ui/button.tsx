/** A button that, when it can't act, stays focusable and says why. */
import clsx from 'clsx'

type Look = 'plain' | 'primary' | 'quiet' | 'attention'

export interface ButtonProps extends Omit<React.ComponentProps<'button'>, 'disabled'> {
  look?: Look
  icon?: boolean
  small?: boolean
  /** The key that does the same, as people see it. */
  hint?: string | undefined
  /** Why the button can't act now; null when it can. */
  whyNot?: string | null | undefined
}

export function Button({ look = 'plain', icon, small, hint, whyNot, className, onClick, children, ...rest }: ButtonProps) {
  const off = whyNot !== undefined && whyNot !== null
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={off ? true : undefined}
      title={off ? whyNot : rest.title}
      onClick={off ? undefined : onClick}
      className={clsx('button', look !== 'plain' && `button--${look}`, icon && 'button--icon', small && 'button--small', className)}
    >
      {children}
      {hint !== undefined && (
        <span className="key" aria-hidden="true">
          {hint}
        </span>
      )}
      {off && <span className="heard">. {whyNot}</span>}
    </button>
  )
}
