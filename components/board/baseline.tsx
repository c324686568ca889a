import { useEffect, useState } from 'react'
import { type AgainstBaseline, comparePath } from '#lib/domain/compare/index.ts'
import { countOf, signedDifference } from '#lib/domain/text/index.ts'
import { classNames } from '../ui/class-names.ts'
import type { DataColumn } from '../ui/data-column.ts'
import { UNKNOWN, visibleText } from '../ui/format.ts'
import { listRatios, VERDICTS } from './baseline-text.ts'
import type { TableRow } from './table-row.ts'

type BaselineChoiceProps = {
  rows: readonly TableRow[]
  base: string | null
  onChange: (base: string | null) => void
}

/** Chooses the entry that all others are compared with. */
export function BaselineChoice({ rows, base, onChange }: BaselineChoiceProps) {
  // Only scripts use the list, so the page is sent without it.
  const [isSent, setSent] = useState(true)
  useEffect(() => setSent(false), [])
  const choices = isSent ? rows.filter(({ id }) => id === base) : rows
  return (
    <label className="min-w-0 max-w-full" data-needs-server>
      <span className="sr-only">Baseline: the entry that all others are compared with</span>
      <select
        className="h-8 w-44 max-w-full rounded border border-line-strong bg-surface px-2"
        onChange={(event) => onChange(event.target.value || null)}
        value={base ?? ''}
      >
        <option value="">No baseline</option>
        {choices.map(({ id, subject }) => (
          <option key={id} value={id}>
            {nameOf(subject)}
          </option>
        ))}
      </select>
    </label>
  )
}

function nameOf({ name, under, model, way }: TableRow['subject']): string {
  const parts = [name, under, model ?? way].flatMap((part) => (part ? [visibleText(part)] : []))
  return `vs. ${parts.join(' · ')}`
}

/** The column that compares each row with the baseline. */
export function baselineColumn(against: AgainstBaseline): DataColumn<TableRow> {
  return {
    id: 'baseline',
    head: 'vs. baseline, points',
    title:
      'Difference of success rates in percentage points, paired by task; all differences shown are tested together (Holm, family-wise error 5\u00a0%)',
    label: null,
    isFixed: true,
    sort: ({ id }) => {
      const own = against[id]
      return own && 'difference' in own ? own.difference : null
    },
    descends: true,
    cell: ({ id }) => <BaselineCell against={against[id]} />,
    headClass: 'w-[11rem]',
    cellClass: 'col-span-4',
  }
}

/** A row's difference to the baseline with its verdict, and the ratios of cost and time per success. */
function BaselineCell({ against }: { against: AgainstBaseline[string] | undefined }) {
  if (!against) return <span className="text-muted">{UNKNOWN}</span>
  if (against.kind === 'baseline') return <span className="text-muted">baseline</span>
  if (against.kind === 'refused')
    return (
      <span className="text-muted" title={against.text}>
        not comparable
      </span>
    )
  const { mark, word, tone } = VERDICTS[against.kind]
  return (
    <span className="block leading-tight" title={against.text}>
      <span className={classNames('whitespace-nowrap font-medium', tone)}>
        <span aria-hidden="true">{mark}</span> {signedDifference(against.difference)} {word}
      </span>
      {listRatios(against).map((text) => (
        <span key={text} className="block whitespace-nowrap text-muted text-xs">
          {text}
        </span>
      ))}
    </span>
  )
}

/** Explains why the compare page can have another verdict. */
export function BaselineNote({ count, base }: { count: number; base: string }) {
  return (
    <p className="mt-2 text-muted text-xs">
      {countOf(count, 'difference')} from the baseline, tested together (Holm, family-wise error 5
      %). Ratios of cost and time per success have their own 95&nbsp;% intervals.{' '}
      <a className="link" href={comparePath([base])}>
        Compare
      </a>{' '}
      tests fewer pairs at a time, so it can find a difference that is not significant here.
    </p>
  )
}
