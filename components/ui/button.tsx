import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

type ButtonProps = ComponentProps<'button'> & { tone?: 'plain' | 'quiet' }

/** The one button: bordered, or quiet inside a denser frame. */
export function Button({ tone = 'plain', className, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={classNames(
        'inline-flex h-8 items-center justify-center gap-1.5 rounded px-2.5 text-sm disabled:opacity-50',
        tone === 'plain' && 'border border-line bg-surface hover:border-line-strong',
        tone === 'quiet' && 'text-muted hover:bg-sunken hover:text-ink',
        className,
      )}
      {...rest}
    />
  )
}
