import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

export type ButtonTone = 'plain' | 'quiet' | 'primary' | 'danger'

type ButtonProps = ComponentProps<'button'> & { tone?: ButtonTone }

/**
 * A button: bordered by default, `quiet` in dense frames, filled for the next step of a page, red for destructive
 * actions.
 */
export function Button({ tone = 'plain', className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(
        'inline-flex h-8 items-center justify-center gap-1.5 rounded px-2.5 text-sm disabled:opacity-50 aria-disabled:opacity-50',
        tone === 'plain' && 'border border-line bg-surface hover:border-line-strong',
        tone === 'quiet' && 'text-muted hover:bg-sunken hover:text-ink',
        tone === 'primary' && 'bg-accent font-medium text-accent-ink hover:opacity-90',
        tone === 'danger' && 'border border-bad bg-surface font-medium text-bad hover:bg-bad-soft',
        className,
      )}
      {...rest}
    />
  )
}
