import {
  formatCompact,
  formatCount,
  formatDay,
  formatDollars,
  formatDuration,
  formatInstant,
  UNKNOWN,
} from '#components/ui/format.ts'
import { type BoardRow, formatShape } from '#lib/domain/board/index.ts'
import { countOf, shortNumber } from '#lib/domain/record/index.ts'
import type { CellMetric } from './table-row.ts'

export function tokensFigure({ tokensPerSuccess }: BoardRow): CellMetric {
  return figure(tokensPerSuccess, formatCompact, (n) => `${countOf(n, 'token')} per success`)
}

/**
 * Cost per success. Subscriptions are marked, whether their calls were metered or not, and so are prices given by the
 * user, which can be arbitrary.
 */
export function costCell({
  costPerSuccessMicroUsd: cost,
  costPerSuccessInterval: interval,
  success,
  settings,
  givenPrices = [],
}: BoardRow): CellMetric {
  if (settings.login !== undefined)
    return { text: 'flat', title: 'Paid by a subscription, not by the token' }
  if (cost === null && success.rate === 0) return { text: UNKNOWN, title: 'No successes' }
  const isGiven = cost !== null && givenPrices.length > 0
  const of = isGiven ? `, at a price given by its user (${givenPrices.join(', ')})` : ''
  const shown = (n: number | null) => `${formatDollars(n)}${isGiven ? '*' : ''}`
  return figure(cost, shown, (n) => {
    const bounds = interval ? ` (95 % confidence interval ${costBounds(interval)})` : ''
    return `${exactDollars(n)}${bounds}: total cost of ${countOf(success.attempts, 'scored episode')} divided by successes${of}`
  })
}

function costBounds({ lowMicroUsd, highMicroUsd }: CostInterval): string {
  return `${exactDollars(lowMicroUsd)}–${highMicroUsd === null ? '∞' : exactDollars(highMicroUsd)}`
}

function exactDollars(microUsd: number): string {
  return `$${shortNumber(microUsd / 1e6)}`
}

type CostInterval = NonNullable<BoardRow['costPerSuccessInterval']>

export function timeFigure(ms: number | null, share: string): CellMetric {
  return figure(
    ms,
    formatDuration,
    (n) => `${share} time of the solved episodes: ${formatDuration(n)}`,
  )
}

export function samplesFigure(row: BoardRow): CellMetric {
  const { success } = row
  const solved = row.tasks.reduce((sum, task) => sum + task.solved, 0)
  return {
    text: formatShape(row),
    title: `${countOf(success.tasks, 'task')}; ${formatCount(solved)} of ${countOf(success.attempts, 'scored episode')} solved`,
  }
}

export function dateFigure({ lastStartedAt }: BoardRow): CellMetric {
  return { text: formatDay(lastStartedAt), title: formatInstant(lastStartedAt) }
}

function figure(
  value: number | null,
  format: (value: number | null) => string,
  explain: (value: number) => string,
): CellMetric {
  return { text: format(value), title: value === null ? 'Unknown' : explain(value) }
}
