import Link from 'next/link'
import type { ReactNode } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { ArrowKeys } from '#components/ui/controls.tsx'
import { plural, UNKNOWN, visibleText } from '#components/ui/format.ts'
import type {
  ComparisonView,
  MeasuredDifference,
  PairView,
} from '#lib/domain/compare/comparison.ts'
import { comparePath } from '#lib/domain/compare/comparison.ts'
import { formatDifference, formatLevel, formatP } from '#lib/domain/compare/format-comparison.ts'
import { DifferenceWhisker } from '../charts/whisker.tsx'
import { VerdictGlyph } from './comparison.tsx'

type PairsTableProps = { comparison: ComparisonView; chosen: number }

/** Every pair with its difference drawn around zero; rows on wide screens, cards on narrow ones. */
export function PairsTable({ comparison, chosen }: PairsTableProps) {
  const { pairs, rows, multiplicity } = comparison
  const names = new Map(rows.map(({ rowId, name }) => [rowId, visibleText(name)]))
  const rowIds = rows.map(({ rowId }) => rowId)
  const reach = commonReach(pairs)
  const level = formatLevel(multiplicity.confidence)
  return (
    <ArrowKeys>
      <table className="block w-full border-line border-b lg:table lg:table-fixed">
        <caption className="sr-only">Pairs of entries</caption>
        <thead className="sr-only lg:not-sr-only lg:table-header-group">
          <tr className="text-left text-muted text-xs">
            <Head className="w-[24%]">Pair</Head>
            <Head className="w-[15%]" title="Conclusion from the test and its confidence interval">
              Verdict
            </Head>
            <Head
              title={`Success rate of the first minus the second, with its ${level} confidence interval`}
            >
              Difference, points ({level} CI)
            </Head>
            <Head className="w-[6.5rem]" numeric title="p-value adjusted for all pairs shown">
              Adjusted p
            </Head>
            <Head className="w-[6rem]" numeric title="Tasks with scored episodes in both entries">
              Tasks
            </Head>
            <Head className="w-[5.5rem]" numeric title="Tasks where the majority outcome differs">
              Differ
            </Head>
          </tr>
        </thead>
        <tbody className="block lg:table-row-group">
          {pairs.map((pair, index) => (
            <PairLine
              chosen={index === chosen && pairs.length > 1}
              flips={`${comparePath(rowIds, index)}#flipped`}
              key={`${pair.a} ${pair.b}`}
              names={[names.get(pair.a) ?? pair.a, names.get(pair.b) ?? pair.b]}
              pair={pair}
              reach={reach}
            />
          ))}
        </tbody>
      </table>
    </ArrowKeys>
  )
}

type HeadProps = { children: ReactNode; className?: string; title?: string; numeric?: boolean }

function Head({ children, className, title, numeric }: HeadProps) {
  return (
    <th
      className={classNames(
        'h-9 border-line-strong border-b px-2.5 font-normal',
        numeric && 'text-right',
        className,
      )}
      scope="col"
      title={title}
    >
      {children}
    </th>
  )
}

type PairLineProps = {
  pair: PairView
  names: [string, string]
  reach: number
  flips: string
  chosen: boolean
}

function PairLine({ pair, names: [a, b], reach, flips, chosen }: PairLineProps) {
  const { result, flipped } = pair
  return (
    <tr
      className={classNames(
        'grid grid-cols-3 gap-x-3 gap-y-1.5 border-line border-t px-3 py-3 lg:table-row lg:h-9',
        chosen && 'bg-sunken',
      )}
      data-pair={`${pair.a},${pair.b}`}
      data-row={`${pair.a},${pair.b}`}
    >
      <Cell className="untrusted col-span-3 lg:truncate" title={`${a} vs. ${b}`}>
        <span className="font-medium">{a}</span> <span className="text-muted">vs.</span>{' '}
        <span className="font-medium">{b}</span>
      </Cell>
      <Cell className="col-span-3">
        <VerdictCell result={result} />
      </Cell>
      <Cell className="col-span-3">
        {result.ok ? <DifferenceCell pair={pair} reach={reach} result={result} /> : UNKNOWN}
      </Cell>
      <Cell label="Adjusted p" numeric>
        <span title={result.ok ? `p ${result.p}, adjusted ${result.adjustedP}` : 'Not tested'}>
          {result.ok ? formatP(result.adjustedP) : UNKNOWN}
        </span>
      </Cell>
      <Cell label="Tasks" numeric>
        <span title={sayLeftOut(pair, a, b)}>{sayTasks(pair)}</span>
      </Cell>
      <Cell label="Differ" numeric>
        {flipped.length > 0 ? (
          <Link className="link" href={flips} prefetch={false}>
            {flipped.length}
            <span className="sr-only">
              {' '}
              tasks where {a} and {b} differ
            </span>
          </Link>
        ) : (
          '0'
        )}
      </Cell>
    </tr>
  )
}

type CellProps = HeadProps & { label?: string }

function Cell({ children, className, label, numeric, title }: CellProps) {
  return (
    <td
      className={classNames(
        'block min-w-0 lg:table-cell lg:h-9 lg:px-2.5',
        numeric && 'lg:text-right',
        className,
      )}
      title={title}
    >
      {label ? (
        <span aria-hidden="true" className="block text-muted text-xs lg:hidden">
          {label}
        </span>
      ) : null}
      {children}
    </td>
  )
}

function VerdictCell({ result }: Pick<PairView, 'result'>) {
  const text = result.ok ? result.verdict.text : 'not comparable'
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
  const { difference, low, high, method, seed } = result
  const title = [
    `${100 * difference} points (${100 * low} to ${100 * high})`,
    method,
    seed === null ? null : `seed ${seed}`,
    plural(pair.common, 'common task'),
  ]
  return (
    <span
      className="grid grid-cols-[3rem_minmax(6rem,1fr)_7.5rem] items-center gap-2.5"
      title={title.filter(Boolean).join(' · ')}
    >
      <span className="font-medium lg:text-right">{signed(difference)}</span>
      <DifferenceWhisker
        difference={difference}
        high={high}
        low={low}
        reach={reach}
        solid={pair.isClaim}
      />
      <span className="whitespace-nowrap text-muted text-xs">
        {formatDifference(low)} to {formatDifference(high)}
      </span>
    </span>
  )
}

function signed(difference: number): string {
  const text = formatDifference(difference)
  return difference > 0 && text !== '0.0' ? `+${text}` : text
}

function sayTasks({ common, leftOut }: PairView): string {
  const out = leftOut.onlyA.length + leftOut.onlyB.length
  return out === 0 ? String(common) : `${common} of ${common + out}`
}

function sayLeftOut(
  { common, leftOut: { onlyA, onlyB, neither } }: PairView,
  a: string,
  b: string,
) {
  const parts = [
    `${plural(common, 'task')} scored in both entries`,
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
