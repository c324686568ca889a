import type { Refusal } from '#lib/domain/board/board-row.ts'
import { describeCost, describePlan, describeTime } from '#lib/domain/planner/describe-plan.ts'
import type { Alternative, Explanation } from '#lib/domain/planner/explain-plan.ts'
import type { Figure } from '#lib/domain/planner/find-power.ts'
import { formatCost, formatPoints, formatSpan } from '#lib/domain/planner/format-amount.ts'

/** An explanation for a terminal: a sentence, the figures with what they rest on, the alternatives. */
export function explainText(explanation: Explanation): string {
  const { gate, assumptions } = explanation
  return [
    describePlan(explanation),
    '',
    ...gateLines('Over the whole suite', gate.aggregate),
    ...gateLines('For single tasks', gate.perTask),
    '',
    `Half-width of the 95 % interval  ${pointsOf(explanation.halfWidth)}`,
    `  ${assumptions.spread}`,
    `Detectable difference, 80 % power ${pointsOf(explanation.detectable)}`,
    `  ${assumptions.difference} The other entry is assumed to have the same tasks and repetitions.`,
    ...(explanation.pool.pairs > 1
      ? [
          `  The 5 % level is the family-wise error over the ${explanation.pool.pairs} pairs of ${explanation.pool.rows} ranked entries (Holm).`,
        ]
      : []),
    ...quoteLines(explanation),
    '',
    ...tableLines(explanation.alternatives),
    `More repetitions of these tasks cannot detect differences below ${pointsOf(explanation.floor)}.`,
    ...explanation.tasksNeeded.map(
      ({ difference, tasks }) =>
        `To detect ${formatPoints(difference)} with ${times(explanation.repetitions)}: ${tasks.value ?? '–'} tasks.`,
    ),
  ].join('\n')
}

function gateLines(what: string, refusals: readonly Refusal[]): string[] {
  if (refusals.length === 0) return [`${what}: can be ranked, if every episode is scored.`]
  return [
    `${what}:`,
    ...refusals.flatMap(({ code, reason, remedy }) => [`  ${code}: ${reason}`, `    ${remedy}`]),
  ]
}

function quoteLines({ cost, time }: Explanation): string[] {
  const most = (amount: string | null) =>
    amount === null ? '' : `, at most ${amount} by its limit`
  const limit = cost.atMost === null ? null : formatCost(cost.atMost)
  const longest = time.atMost === null ? null : formatSpan(time.atMost)
  return [
    `Cost  ${describeCost(cost) ?? 'unknown'}${most(limit)}`,
    `  ${cost.basis}`,
    `Time  ${describeTime(time) ?? 'unknown'}${most(longest)}`,
    `  ${time.basis}`,
  ]
}

function tableLines(alternatives: readonly Alternative[]): string[] {
  const head = ['repetitions', 'episodes', 'difference', 'half width', 'cost']
  const rows = alternatives.map((one) => [
    `${one.isPlanned ? '> ' : ''}${one.repetitions}`,
    String(one.episodes),
    pointsOf(one.detectable),
    pointsOf(one.halfWidth),
    one.costMicroUsd === null ? '–' : formatCost(one.costMicroUsd),
  ])
  return [head, ...rows].map((cells) => cells.map((cell) => cell.padStart(12)).join('  '))
}

function pointsOf({ value }: Figure): string {
  return value === null ? '–' : formatPoints(value)
}

function times(repetitions: number): string {
  return repetitions === 1 ? 'one repetition' : `${repetitions} repetitions`
}
