import { classNames } from '#components/ui/class-names.ts'
import { ArrowKeys } from '#components/ui/controls.tsx'
import type { DataColumn } from '#components/ui/data-column.ts'
import { UNKNOWN, visibleText } from '#components/ui/format.ts'
import { DataTable } from '#components/ui/table.tsx'
import {
  type ComparisonView,
  comparePath,
  formatP,
  formatVerdict,
  levelsOf,
  type MeasuredDifference,
  type PairView,
} from '#lib/domain/compare/index.ts'
import { countOf, formatDifference, formatLevel } from '#lib/domain/text/index.ts'
import { DifferenceWhisker } from '../charts/whisker.tsx'
import { VerdictGlyph } from './comparison.tsx'

type PairsTableProps = { comparison: ComparisonView; chosen: number }

/** Every pair with its difference drawn around zero; rows on wide screens, cards on narrow ones. */
export function PairsTable({ comparison, chosen }: PairsTableProps) {
  const { pairs, rows } = comparison
  const names = new Map(rows.map(({ rowId, name }) => [rowId, visibleText(name)]))
  const rowIds = rows.map(({ rowId }) => rowId)
  const reach = commonReach(pairs)
  return (
    <ArrowKeys>
      <DataTable
        caption="Pairs of entries"
        cards="lg"
        cellClass="lg:h-9 lg:px-2.5"
        className="w-full border-line border-b lg:table-fixed"
        columns={pairColumns(levelsOf(comparison))}
        headClass="h-9 border-line-strong border-b px-2.5 text-muted text-xs"
        keyOf={({ pair }) => `${pair.a} ${pair.b}`}
        rowProps={({ pair, chosen }) => ({
          className: classNames(
            'grid-cols-3 gap-x-3 gap-y-1.5 border-line border-t px-3 py-3 lg:h-9',
            chosen && 'bg-sunken',
          ),
          'data-pair': `${pair.a},${pair.b}`,
          'data-row': `${pair.a},${pair.b}`,
        })}
        rows={pairs.map(
          (pair, index): ShownPair => ({
            pair,
            names: [names.get(pair.a) ?? pair.a, names.get(pair.b) ?? pair.b],
            reach,
            flips: `${comparePath(rowIds, index)}&f=outcome:differs#tasks`,
            chosen: index === chosen && pairs.length > 1,
          }),
        )}
      />
    </ArrowKeys>
  )
}

type ShownPair = {
  pair: PairView
  names: [string, string]
  reach: number
  flips: string
  chosen: boolean
}

function pairColumns(level: string): DataColumn<ShownPair>[] {
  return [
    {
      head: 'Pair',
      headClass: 'w-[24%]',
      cell: ({ names: [a, b] }) => (
        <>
          <span className="font-medium">{a}</span> <span className="text-muted">vs.</span>{' '}
          <span className="font-medium">{b}</span>
        </>
      ),
      cellTitle: ({ names: [a, b] }) => `${a} vs. ${b}`,
      cellClass: 'untrusted col-span-3 lg:py-1.5',
      label: null,
    },
    {
      head: 'Verdict',
      title: 'Conclusion from the test and its confidence interval',
      headClass: 'w-[19%]',
      cell: ({ pair }) => <VerdictCell result={pair.result} />,
      cellClass: 'col-span-3',
      label: null,
    },
    {
      head: `Difference, points (${level} interval)`,
      title: `Success rate of the first minus the second, with its ${level} confidence interval`,
      cell: ({ pair, reach }) =>
        pair.result.ok ? (
          <DifferenceCell pair={pair} reach={reach} result={pair.result} />
        ) : (
          UNKNOWN
        ),
      cellClass: 'col-span-3',
      label: null,
    },
    {
      head: 'Adjusted p',
      title: 'p-value adjusted for all pairs shown',
      headClass: 'w-[6.5rem]',
      numeric: true,
      cell: ({ pair: { result } }) => (
        <span
          title={
            result.ok
              ? `p ${formatP(result.p)}, adjusted ${formatP(result.adjustedP)}`
              : 'Not tested'
          }
        >
          {result.ok ? formatP(result.adjustedP) : UNKNOWN}
        </span>
      ),
    },
    {
      head: 'Tasks',
      title: 'Tasks with scored episodes in both entries',
      headClass: 'w-[6rem]',
      numeric: true,
      cell: ({ pair, names }) => (
        <span title={formatLeftOut(pair, ...names)}>{formatTasks(pair)}</span>
      ),
    },
    {
      head: 'Differing tasks',
      title: 'Tasks where the majority outcome differs',
      headClass: 'w-[5.5rem]',
      numeric: true,
      cell: (shown) => <FlippedCell {...shown} />,
    },
  ]
}

function FlippedCell({ pair: { flipped }, names: [a, b], flips }: ShownPair) {
  if (flipped.length === 0) return '0'
  return (
    <a className="link" href={flips}>
      {flipped.length}
      <span className="sr-only">
        {' '}
        Tasks where {a} and {b} differ
      </span>
    </a>
  )
}

function VerdictCell({ result }: Pick<PairView, 'result'>) {
  const text = formatVerdict(result)
  const title = result.ok ? undefined : result.refusal.reason
  return (
    <span className="flex items-baseline gap-1.5" title={title}>
      <VerdictGlyph kind={result.ok ? result.verdict.kind : 'refused'} />
      {text}
    </span>
  )
}

type DifferenceCellProps = { pair: PairView; result: MeasuredDifference; reach: number }

function DifferenceCell({ pair, result, reach }: DifferenceCellProps) {
  const { difference, low, high, confidence } = result
  const title = [
    `${formatDifference(difference)} points (${formatLevel(confidence)} confidence interval ${formatDifference(low)} to ${formatDifference(high)})`,
    pair.details,
  ]
  return (
    <span
      className="flex flex-wrap items-center gap-2.5 [&>svg]:flex-1 lg:grid lg:grid-cols-[3rem_minmax(6rem,1fr)_7.5rem]"
      title={title.filter(Boolean).join(' · ')}
    >
      <span className="min-w-12 font-medium lg:text-right">{signed(difference)}</span>
      <DifferenceWhisker
        difference={difference}
        high={high}
        low={low}
        reach={reach}
        solid={pair.isClaim}
      />
      <span className="min-w-30 whitespace-nowrap text-muted text-xs">
        {formatDifference(low)} to {formatDifference(high)}
      </span>
    </span>
  )
}

function signed(difference: number): string {
  const text = formatDifference(difference)
  return difference > 0 && text !== '0.0' ? `+${text}` : text
}

function formatTasks({ common, leftOut }: PairView): string {
  const out = leftOut.onlyA.length + leftOut.onlyB.length
  return out === 0 ? String(common) : `${common} of ${common + out}`
}

function formatLeftOut(
  { common, leftOut: { onlyA, onlyB, neither } }: PairView,
  a: string,
  b: string,
) {
  const parts = [
    `${countOf(common, 'task')} scored in both entries`,
    onlyA.length > 0 ? `excluded, scored only in ${a}: ${onlyA.join(', ')}` : null,
    onlyB.length > 0 ? `excluded, scored only in ${b}: ${onlyB.join(', ')}` : null,
    neither.length > 0 ? `scored in neither: ${neither.join(', ')}` : null,
  ]
  return parts.filter(Boolean).join('\n')
}

/** One scale for all pairs: the smallest round number that contains every interval. */
function commonReach(pairs: readonly PairView[]): number {
  const bounds = pairs.flatMap(({ result }) => (result.ok ? [-result.low, result.high] : []))
  const widest = Math.max(0, ...bounds.map(Math.abs))
  return [0.1, 0.2, 0.5].find((reach) => widest <= reach) ?? 1
}
