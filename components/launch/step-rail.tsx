import { classNames } from '../ui/class-names.ts'

type StepRailProps = {
  label: string
  steps: readonly string[]
  /** Index of the current step. */
  current: number
}

/** A sequence of steps, each done, current, or to come. */
export function StepRail({ label, steps, current }: StepRailProps) {
  return (
    <ol aria-label={label} className="mb-4 flex flex-wrap items-center gap-2 sm:gap-3">
      {steps.map((name, place) => (
        <li
          aria-current={place === current ? 'step' : undefined}
          className={classNames(
            'flex min-w-fit items-center gap-2',
            place > 0 &&
              'flex-1 before:h-px before:min-w-3 before:flex-1 before:bg-line-strong sm:flex-none sm:before:w-10',
            place > current && 'text-muted',
          )}
          key={name}
        >
          <span
            aria-hidden="true"
            className={classNames(
              'inline-flex size-6 shrink-0 items-center justify-center rounded-full border font-medium text-xs',
              place < current && 'border-good text-good',
              place === current && 'border-accent bg-accent text-accent-ink',
              place > current && 'border-line-strong',
            )}
          >
            {place < current ? '✓' : place + 1}
          </span>
          <StepName isCurrent={place === current} name={name} />
          {place < current ? <span className="sr-only">, done</span> : null}
        </li>
      ))}
    </ol>
  )
}

/** If three names do not fit, only the current step shows its name. */
function StepName({ name, isCurrent }: { name: string; isCurrent: boolean }) {
  return (
    <span
      className={classNames(
        'whitespace-nowrap',
        isCurrent ? 'font-semibold' : 'max-[22.5rem]:sr-only',
      )}
    >
      {name}
    </span>
  )
}
