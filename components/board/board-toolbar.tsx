import type { ReactNode } from 'react'
import {
  BOARD_COLUMNS,
  EVIDENCE_LABELS,
  EVIDENCE_WORDS,
  OPTIONAL_COLUMNS,
} from '#lib/domain/board/index.ts'
import { Button } from '../ui/button.tsx'
import { visibleText } from '../ui/format.ts'
import { Columns3, Download, Search } from '../ui/icons.tsx'
import { Menu } from '../ui/menu.tsx'
import type { BoardView, TableRow } from './board-view.ts'
import { EvidenceGlyph } from './evidence.tsx'

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
  baseline: ReactNode
  view: BoardView
  onChange: (change: Partial<BoardView>) => void
  onExport: (format: 'csv' | 'markdown') => void
}

/** Search, filters, columns and export of the board. */
export function BoardToolbar(props: BoardToolbarProps) {
  const { view, rows, baseline, onChange, onExport } = props
  return (
    <search className="scripted flex flex-wrap items-center gap-2">
      <label className="relative block w-full sm:w-44">
        <span className="sr-only">Search entries, versions and models</span>
        <Search aria-hidden className="absolute top-2 left-2 text-muted" size={16} />
        <input
          className="h-8 w-full rounded border border-line-strong bg-surface pr-2 pl-8"
          data-search
          onChange={(event) => onChange({ q: event.target.value })}
          placeholder="Search  ( / )"
          type="search"
          value={view.q}
        />
      </label>
      <EvidenceFilter counts={countLabels(rows)} onChange={onChange} view={view} />
      <label className="min-w-0 max-w-full">
        <span className="sr-only">Type of entry</span>
        <select
          className="h-8 max-w-full rounded border border-line-strong bg-surface px-2"
          data-kind
          onChange={(event) =>
            onChange({ kind: (event.target.value || null) as BoardView['kind'] })
          }
          value={view.kind ?? ''}
        >
          <option value="">Agents and libraries</option>
          <option value="agent">Agents</option>
          <option value="library">Libraries</option>
          <option value="control">Controls</option>
        </select>
      </label>
      <ArmFilter arms={listArms(rows)} arm={view.arm} onChange={(arm) => onChange({ arm })} />
      {baseline}
      <div className="flex flex-wrap gap-2 sm:ml-auto">
        <Menu icon={<Columns3 aria-hidden size={14} />} label="Columns">
          <ColumnChoice hidden={view.hide} onChange={(hide) => onChange({ hide })} />
        </Menu>
        <Menu icon={<Download aria-hidden size={14} />} label="Export">
          <p className="max-w-52 text-muted text-xs">
            All entries that match the filters, in the order and with the columns of the table.
          </p>
          <Button onClick={() => onExport('csv')}>CSV</Button>
          <Button onClick={() => onExport('markdown')}>Markdown</Button>
        </Menu>
      </div>
    </search>
  )
}

type ArmFilterProps = {
  arms: readonly string[]
  arm: BoardView['arm']
  onChange: (arm: BoardView['arm']) => void
}

/** Not shown on a board without arms, unless the URL names one. */
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

/** The labels in use, each with its number of entries. */
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

type ColumnChoiceProps = { hidden: BoardView['hide']; onChange: (hide: BoardView['hide']) => void }

function ColumnChoice({ hidden, onChange }: ColumnChoiceProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-muted text-xs">Columns</legend>
      {OPTIONAL_COLUMNS.map((id) => (
        <label className="flex items-center gap-2" key={id}>
          <input
            checked={!hidden.includes(id)}
            className="accent-[var(--accent)]"
            onChange={(event) =>
              onChange(
                event.target.checked ? hidden.filter((other) => other !== id) : [...hidden, id],
              )
            }
            type="checkbox"
          />
          {BOARD_COLUMNS[id].label}
        </label>
      ))}
    </fieldset>
  )
}
