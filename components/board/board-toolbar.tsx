import { EVIDENCE_LABELS, EVIDENCE_WORDS } from '#lib/domain/board/index.ts'
import { ColumnMenu, ExportMenu, FilterMenu, SearchField } from '../table/table-tools.tsx'
import type { LiveTable } from '../table/use-live-table.ts'
import { visibleText } from '../ui/format.ts'
import { BaselineChoice } from './baseline.tsx'
import { type BoardView, boardAddress } from './board-view.ts'
import { EvidenceGlyph } from './evidence.tsx'
import type { TableRow } from './table-row.ts'

function countLabels(rows: readonly TableRow[]): Partial<Record<string, number>> {
  const counts: Partial<Record<string, number>> = {}
  for (const { label } of rows) counts[label] = (counts[label] ?? 0) + 1
  return counts
}

/** The arms of the board's rows, by name. */
function listArms(rows: readonly TableRow[]): string[] {
  return [...new Set(rows.flatMap(({ subject }) => subject.arm ?? []))].sort()
}

type BoardToolbarProps = {
  rows: readonly TableRow[]
  table: LiveTable<TableRow>
  view: BoardView
  onChange: (change: Partial<BoardView>) => void
  onExport: (format: 'csv' | 'markdown') => void
}

/** Search, filters, columns and export of the board. */
export function BoardToolbar(props: BoardToolbarProps) {
  const { view, rows, table, onChange, onExport } = props
  return (
    <search className="scripted relative flex flex-wrap items-center gap-2">
      <SearchField
        label="Search entries, versions and models"
        onSearch={(q) => onChange({ q })}
        text={view.q}
      />
      <EvidenceFilter counts={countLabels(rows)} onChange={onChange} view={view} />
      <label className="min-w-0 max-w-full">
        <span className="sr-only">Type of entry</span>
        <select
          className="h-8 max-w-full rounded border border-line-strong bg-surface px-2"
          data-kind
          onChange={(event) =>
            onChange({ kind: KINDS.find(({ kind }) => kind === event.target.value)?.kind ?? null })
          }
          value={view.kind ?? ''}
        >
          {KINDS.map(({ kind, name }) => (
            <option key={name} value={kind ?? ''}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <ArmFilter arms={listArms(rows)} arm={view.arm} onChange={(arm) => onChange({ arm })} />
      <BaselineChoice base={view.base} onChange={(base) => onChange({ base })} rows={rows} />
      <div className="flex flex-wrap gap-2 sm:ml-auto">
        <FilterMenu facets={table.facets} filters={view.f} onChange={(f) => onChange({ f })} />
        <ColumnMenu onHide={(hide) => onChange({ hide })} table={table} />
        <ExportMenu onExport={onExport} />
      </div>
    </search>
  )
}

const KINDS = [
  { kind: null, name: 'Agents and libraries' },
  { kind: 'agent', name: 'Agents' },
  { kind: 'library', name: 'Libraries' },
  { kind: 'control', name: 'Controls' },
] as const

/** Filters as links, for pages without scripts. Column headers always sort. */
export function PlainFilters({ rows, view }: Pick<BoardToolbarProps, 'rows' | 'view'>) {
  const counts = countLabels(rows)
  const labels = EVIDENCE_LABELS.filter((label) => counts[label])
  return (
    <noscript>
      <nav aria-label="Filters" className="flex flex-wrap gap-x-4 gap-y-1">
        {KINDS.map(({ kind, name }) => (
          <a className="link" href={boardAddress({ ...view, kind, label: [] })} key={name}>
            {name}
          </a>
        ))}
        {labels.map((label) => (
          <a
            className="link"
            href={boardAddress({ ...view, kind: null, label: [label] })}
            key={label}
          >
            {EVIDENCE_WORDS[label].word} ({counts[label]})
          </a>
        ))}
      </nav>
      <p className="text-muted">
        To search, compare or export this table, turn on JavaScript. Order, filters, charts, details
        and{' '}
        <a className="link" href="/compare">
          Compare
        </a>{' '}
        work without it.
      </p>
    </noscript>
  )
}

type ArmFilterProps = {
  arms: readonly string[]
  arm: BoardView['arm']
  onChange: (arm: BoardView['arm']) => void
}

/** Omitted on a board without arms, unless the URL names one. */
function ArmFilter({ arms, arm, onChange }: ArmFilterProps) {
  const listed = arm === null || arms.includes(arm) ? arms : [...arms, arm]
  if (listed.length === 0) return null
  return (
    <label className="min-w-0 max-w-full">
      <span className="sr-only">Arm</span>
      <select
        className="untrusted h-8 w-full max-w-48 rounded border border-line-strong bg-surface px-2"
        onChange={(event) => onChange(event.target.value || null)}
        value={arm ?? ''}
      >
        <option value="">All arms</option>
        {listed.map((name) => (
          <option key={name} value={name}>
            {visibleText(name)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The badges in use, with their numbers of entries. */
function EvidenceFilter({
  view,
  counts,
  onChange,
}: Pick<BoardToolbarProps, 'view' | 'onChange'> & { counts: Partial<Record<string, number>> }) {
  const present = EVIDENCE_LABELS.filter((label) => counts[label] || view.label.includes(label))
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Evidence</legend>
      {present.map((label) => {
        const on = view.label.includes(label)
        const next = on ? view.label.filter((other) => other !== label) : [...view.label, label]
        return (
          <button
            aria-pressed={on}
            className="inline-flex h-8 items-center gap-1.5 rounded border border-line bg-surface px-2 hover:border-line-strong aria-pressed:border-accent aria-pressed:bg-accent-soft"
            key={label}
            onClick={() => onChange({ label: next })}
            type="button"
          >
            <EvidenceGlyph label={label} />
            {EVIDENCE_WORDS[label].word}
            <span className="text-muted text-xs">{counts[label] ?? 0}</span>
          </button>
        )
      })}
    </fieldset>
  )
}
