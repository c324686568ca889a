import {
  formatCompact,
  formatCount,
  formatDay,
  formatDollars,
  formatDuration,
  formatInstant,
  formatInterval,
  formatPercent,
  formatRate,
  percentOf,
  UNKNOWN,
} from '#components/ui/format.ts'
import { type BoardRow, formatRank, overallRate } from '#lib/domain/board/index.ts'
import { countOf, shortNumber } from '#lib/domain/text/index.ts'
import type { CellMetric, ReadCell, TableRow } from './table-row.ts'

export function rankFigure({ rank, ties }: Pick<TableRow, 'rank' | 'ties'>): CellMetric {
  const text = formatRank(rank)
  if (!rank || text === null) return { text: UNKNOWN, title: 'Unranked' }
  const range = `rank ${rank.low} to ${rank.high} with 95\u00a0% confidence`
  return { text, title: [`Place ${rank.place}`, range, ties?.title].filter(Boolean).join('; ') }
}

/** The rate with its interval, in two lengths. */
export function successFigure({
  success,
}: Pick<TableRow, 'success'>): CellMetric & { spread: string; interval: string } {
  const { low, high, tasks, attempts, voids, method } = success
  const interval = formatInterval(low, high)
  const { rate, spread } = formatRate(success.rate, low, high)
  const title = [
    `${percentOf(success.rate)} (95\u00a0% confidence interval ${interval})`,
    `${countOf(tasks, 'task')}, ${countOf(attempts, 'scored episode')}`,
    `${formatCount(voids)} excluded`,
    method,
  ].join(' · ')
  return { text: rate, title, spread, interval }
}

/** The share of episodes with `overallSuccess`; null = unknown. */
export function overallCell(row: Pick<BoardRow, 'overall'>): ReadCell | null {
  const value = overallRate(row)
  if (value === null || row.overall === undefined) return null
  const { succeeded, scored } = row.overall
  const title = `${formatCount(succeeded)} of ${countOf(scored, 'scored episode')}`
  const word = value === 1 ? 'every episode' : value === 0 ? 'no episode' : 'some episodes'
  return { value, text: formatPercent(value), title, word }
}

export function tokensFigure({ tokensPerSuccess }: Pick<TableRow, 'tokensPerSuccess'>): CellMetric {
  return figure(tokensPerSuccess, formatCompact, (n) => `${countOf(n, 'token')} per success`)
}

type CostedRow = Pick<TableRow, 'costPerSuccessMicroUsd' | 'settings'> & {
  costPerSuccessInterval?: TableRow['costPerSuccessInterval'] | undefined
  givenPrices?: readonly string[] | undefined
  success: Pick<TableRow['success'], 'rate' | 'attempts'>
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
}: CostedRow): CellMetric {
  if (settings.login !== undefined)
    return { text: 'flat', title: 'Paid by a subscription, not by the token' }
  if (cost === null && success.rate === 0) return { text: UNKNOWN, title: 'No successes' }
  const isGiven = cost !== null && givenPrices.length > 0
  const of = isGiven ? `, at a price given by its user (${givenPrices.join(', ')})` : ''
  const shown = (n: number | null) => `${formatDollars(n)}${isGiven ? '*' : ''}`
  return figure(cost, shown, (n) => {
    const bounds = interval ? ` (95\u00a0% confidence interval ${costBounds(interval)})` : ''
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

export function samplesFigure({ success, shape, solved }: TableRow): CellMetric {
  return {
    text: shape,
    title: `${countOf(success.tasks, 'task')}; ${formatCount(solved)} of ${countOf(success.attempts, 'scored episode')} solved`,
  }
}

export function dateFigure({ lastStartedAt }: Pick<TableRow, 'lastStartedAt'>): CellMetric {
  return { text: formatDay(lastStartedAt), title: formatInstant(lastStartedAt) }
}

function figure(
  value: number | null,
  format: (value: number | null) => string,
  explain: (value: number) => string,
): CellMetric {
  return { text: format(value), title: value === null ? 'Unknown' : explain(value) }
}
