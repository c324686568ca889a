import { formatCount } from '#components/format/number.ts'
import { visibleText } from '#components/format/visible-text.ts'
import { ProgressBar } from '#components/ui/progress-bar.tsx'
import type { QueueView } from '#lib/domain/views/queue-view.ts'

/** Used and available slots of the machine and of each provider. */
export function SlotFacts({ view }: { view: Pick<QueueView, 'machine' | 'providers'> }) {
  const uses = [
    { name: 'Machine', ...view.machine },
    ...view.providers.map(({ provider, ...use }) => ({ name: visibleText(provider), ...use })),
  ]
  return (
    <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
      {uses.map(({ name, used, limit }) => (
        <li className="min-w-0" key={name}>
          <p className="mb-1 flex justify-between gap-3">
            <span className="untrusted">{name}</span>
            <span className="text-muted">
              {limit === null
                ? `${formatCount(used)} slots, no limit`
                : `${formatCount(used)} of ${formatCount(limit)} slots`}
            </span>
          </p>
          {limit === null ? null : (
            <ProgressBar done={used} label={`Slots in use: ${name}`} total={limit} />
          )}
        </li>
      ))}
    </ul>
  )
}
