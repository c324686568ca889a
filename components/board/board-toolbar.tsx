'use client'

import { Columns3, Download, Search } from 'lucide-react'
import { Button } from '#components/ui/button.tsx'
import { Menu } from '#components/ui/menu.tsx'
import { COLUMN_WORDS } from './board-columns.ts'
import { type BoardView, type ColumnId, OPTIONAL_COLUMNS } from './board-view.ts'
import { EvidenceGlyph } from './evidence-glyph.tsx'
import { EVIDENCE_LABELS, EVIDENCE_WORDS } from './evidence-words.ts'

type BoardToolbarProps = {
  view: BoardView
  counts: Partial<Record<string, number>>
  onChange: (change: Partial<BoardView>) => void
  onExport: (format: 'csv' | 'markdown') => void
}

/** Search, filters, columns and export of the board. */
export function BoardToolbar({ view, counts, onChange, onExport }: BoardToolbarProps) {
  return (
    <search className="flex flex-wrap items-center gap-2">
      <label className="relative block w-full sm:w-56">
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
      <EvidenceFilter counts={counts} onChange={onChange} view={view} />
      <label>
        <span className="sr-only">Type of entry</span>
        <select
          className="h-8 rounded border border-line-strong bg-surface px-2"
          onChange={(event) =>
            onChange({ kind: (event.target.value || null) as BoardView['kind'] })
          }
          value={view.kind ?? ''}
        >
          <option value="">All entries</option>
          <option value="agent">Agents</option>
          <option value="library">Libraries</option>
          <option value="control">Controls</option>
        </select>
      </label>
      <div className="flex gap-2 sm:ml-auto">
        <Menu icon={<Columns3 aria-hidden size={14} />} label="Columns">
          <ColumnChoice hidden={view.hide} onChange={(hide) => onChange({ hide })} />
        </Menu>
        <Menu icon={<Download aria-hidden size={14} />} label="Export">
          <p className="max-w-52 text-muted text-xs">Exports the entries and columns as shown.</p>
          <Button onClick={() => onExport('csv')}>CSV</Button>
          <Button onClick={() => onExport('markdown')}>Markdown</Button>
        </Menu>
      </div>
    </search>
  )
}

/** The labels in use, each with its number of entries. */
function EvidenceFilter({ view, counts, onChange }: Omit<BoardToolbarProps, 'onExport'>) {
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
      {OPTIONAL_COLUMNS.map((id: Exclude<ColumnId, 'rank' | 'subject'>) => (
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
          {COLUMN_WORDS[id].label}
        </label>
      ))}
    </fieldset>
  )
}
