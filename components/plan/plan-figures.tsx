import { describeCost, describeTime } from '#lib/domain/planner/describe-plan.ts'
import type { Explanation } from '#lib/domain/planner/explain-plan.ts'
import type { Figure } from '#lib/domain/planner/find-power.ts'
import { formatCost, formatPoints, formatSpan } from '#lib/domain/planner/format-amount.ts'

type Line = { name: string; value: string; basis: string }

/** The estimates of a plan, each with its basis. */
export function PlanFigures({ explanation }: { explanation: Explanation }) {
  return (
    <dl className="border-line border-b">
      {listLines(explanation).map(({ name, value, basis }) => (
        <div
          className="grid gap-x-5 border-line border-t py-2 sm:grid-cols-[14rem_13rem_minmax(0,1fr)]"
          key={name}
        >
          <dt className="text-muted">{name}</dt>
          <dd className="font-medium">{value}</dd>
          <dd className="untrusted text-muted">{basis}</dd>
        </div>
      ))}
    </dl>
  )
}

function listLines(explanation: Explanation) {
  const { halfWidth, detectable, assumptions, cost, time, repetitions, pool } = explanation
  const test =
    repetitions === 1 ? 'Exact McNemar test' : 'Simulated power of the paired sign-flip test'
  const level =
    pool.pairs === 1
      ? 'at the 5 % level'
      : `at a family-wise error of 5 % over the ${pool.pairs} pairs of ${pool.rows} ranked rows (Holm)`
  const most = (amount: string | null) =>
    amount === null ? '' : ` Its limits allow at most ${amount}.`
  const lines: Line[] = [
    {
      name: 'Detectable difference',
      value: pointsText(detectable),
      basis: `${assumptions.difference} ${test}, 80 % power ${level}, against an entry with the same tasks and repetitions.${reasonText(detectable)}`,
    },
    {
      name: 'Half-width of the interval',
      value: pointsText(halfWidth),
      basis: `${assumptions.spread} 95 %, clustered by task.${reasonText(halfWidth)}`,
    },
    {
      name: 'Cost',
      value: describeCost(cost) ?? 'unknown',
      basis: `${cost.basis}${most(cost.atMost === null ? null : formatCost(cost.atMost))}`,
    },
    {
      name: 'Time',
      value: describeTime(time) ?? 'unknown',
      basis: `${time.basis}${most(time.atMost === null ? null : formatSpan(time.atMost))}`,
    },
  ]
  return lines
}

function pointsText({ value }: Figure): string {
  return value === null ? '–' : formatPoints(value)
}

function reasonText({ reason }: Figure): string {
  return reason === null ? '' : ` ${reason}`
}
