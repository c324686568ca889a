import { formatCount, formatPercent, formatUsd } from '#components/format/number.ts'
import { classNames } from '#components/ui/class-names.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import type { Alternative, Explanation } from '#lib/domain/planner/explain-plan.ts'
import { formatPoints } from '#lib/domain/planner/format-amount.ts'

const HEAD = [
  'Repetitions',
  'Episodes',
  'Detectable difference',
  'Interval ±',
  'Cost (USD)',
] as const

/** The same plan with other numbers of repetitions, and the limit that only more tasks can lower. */
export function AlternativesTable({ explanation }: { explanation: Explanation }) {
  const { alternatives, floor, tasks, tasksNeeded, repetitions } = explanation
  return (
    <>
      <ScrollBox aria-label="Table of repetitions" className="overflow-x-auto">
        <table className="w-full border-line border-b">
          <caption className="sr-only">The same plan with other numbers of repetitions</caption>
          <thead>
            <tr className="text-right text-muted text-xs">
              {HEAD.map((name) => (
                <th
                  className="h-9 border-line-strong border-b px-2 font-normal first:text-left"
                  key={name}
                  scope="col"
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {alternatives.map((one) => (
              <AlternativeLine key={one.repetitions} one={one} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <p className="mt-2 max-w-4xl text-muted">
        {floor.value === null
          ? `More repetitions do not help: ${floor.reason}`
          : `With ${formatCount(tasks)} tasks, more repetitions cannot detect differences below ${formatPoints(floor.value)}. Add tasks instead.`}{' '}
        {tasksNeeded
          .map(
            ({ difference, tasks: needed }) =>
              `Detecting ${formatPoints(difference)} takes ${formatCount(needed.value)} tasks`,
          )
          .join(', ')}{' '}
        with {repetitions === 1 ? 'one repetition' : `${formatCount(repetitions)} repetitions`}.
      </p>
    </>
  )
}

function AlternativeLine({ one }: { one: Alternative }) {
  const cells = [
    formatCount(one.episodes),
    formatPercent(one.detectable.value),
    formatPercent(one.halfWidth.value),
    formatUsd(one.costMicroUsd),
  ]
  return (
    <tr
      aria-current={one.isPlanned ? 'true' : undefined}
      className={classNames('border-line border-t text-right', one.isPlanned && 'bg-accent-soft')}
    >
      <th className="h-9 whitespace-nowrap px-2 text-left font-medium" scope="row">
        {formatCount(one.repetitions)}
        {one.isPlanned ? <span className="font-normal text-muted"> planned</span> : null}
      </th>
      {cells.map((cell, position) => (
        <td className="whitespace-nowrap px-2" key={HEAD[position + 1]}>
          {cell}
        </td>
      ))}
    </tr>
  )
}
