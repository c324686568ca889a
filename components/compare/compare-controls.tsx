'use client'

import { parseAsArrayOf, parseAsString, useQueryState } from 'nuqs'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { EVIDENCE_WORDS } from '#lib/domain/board/index.ts'
import {
  comparePath,
  isClaim,
  MAX_COMPARED_ROWS,
  MIN_COMPARED_ROWS,
} from '#lib/domain/compare/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { EvidenceGlyph } from '../board/evidence.tsx'
import { Whisker } from '../charts/whisker.tsx'
import { useAskServer } from '../ui/ask-server.tsx'
import { isPlainClick } from '../ui/behaviour/plain-click.ts'
import { Button } from '../ui/button.tsx'
import { visibleText } from '../ui/format.ts'
import { handFocusTo } from '../ui/hand-focus.ts'
import { Search } from '../ui/icons.tsx'
import { isTyping } from '../ui/keyboard.ts'
import type { ChooserGroup, ChooserRow } from './to-chooser-groups.ts'

type RowChooserProps = {
  groups: readonly ChooserGroup[]
  chosen: readonly string[]
  query: string
}

/** Form with all rows by suite version; works without JavaScript, which only adds the search. */
export function RowChooser({ groups, chosen, query: asked }: RowChooserProps) {
  const form = useRef<HTMLFormElement>(null)
  const [query, setQuery] = useState(asked)
  const [count, setCount] = useState(chosen.length)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const isShown = ({ haystack }: ChooserRow) => words.every((word) => haystack.includes(word))
  const isNone = !groups.some(({ rows }) => rows.some(isShown))
  const recount = () => {
    if (form.current) setCount(new FormData(form.current).getAll('rows').length)
  }
  // On back navigation the browser restores the checkboxes itself.
  useEffect(recount, [])

  return (
    <form action="/compare" method="get" onChange={recount} ref={form}>
      <div className="sticky top-0 z-10 flex flex-wrap items-center gap-2 border-line border-b bg-bg py-2">
        <label className="relative block w-full sm:w-64">
          <span className="sr-only">Search entries, versions, models and suites</span>
          <Search aria-hidden className="absolute top-2 left-2 text-muted" size={16} />
          <input
            className="h-8 w-full rounded border border-line-strong bg-surface pr-2 pl-8"
            data-search
            // Not `value`: React would also write it into the markup, and browsers would not restore the text on back
            // navigation.
            defaultValue={asked}
            name="q"
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.preventDefault()
            }}
            placeholder="Search  ( / )"
            type="search"
          />
        </label>
        <Button type="submit">Compare</Button>
        <span aria-live="polite" className="text-muted">
          {count === 0 ? 'Select 2 to 8 entries' : `${countOf(count, 'entry')} selected`}
        </span>
      </div>
      {groups.map((group) => (
        <fieldset className="mt-6" hidden={!group.rows.some(isShown)} key={group.digest}>
          <legend className="mb-2 font-semibold text-base">
            {group.title} <span className="font-normal text-muted text-sm">{group.note}</span>
          </legend>
          <ul className="border-line border-b">
            {group.rows.map((row) => (
              <ChooserLine
                isChosen={chosen.includes(row.rowId)}
                isShown={isShown(row)}
                key={row.rowId}
                row={row}
              />
            ))}
          </ul>
        </fieldset>
      ))}
      {isNone ? <p className="mt-4 text-base">No entry matches this search.</p> : null}
    </form>
  )
}

type ChooserLineProps = { row: ChooserRow; isChosen: boolean; isShown: boolean }

/** Hidden rows stay in the form, so a search does not deselect them. */
function ChooserLine({ row, isChosen, isShown }: ChooserLineProps) {
  return (
    <li className="border-line border-t" hidden={!isShown}>
      <label className="grid min-h-9 cursor-pointer grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 py-2 hover:bg-sunken lg:grid-cols-[1rem_minmax(0,1fr)_8rem_minmax(0,22rem)] lg:py-0.5">
        <input
          className="size-4 max-sm:size-6 accent-[var(--accent)]"
          defaultChecked={isChosen}
          name="rows"
          type="checkbox"
          value={row.rowId}
        />
        <span className="untrusted min-w-0">
          <span className="font-medium">{row.name}</span>{' '}
          <span className="text-muted">{row.rest}</span>
        </span>
        <span className="flex items-center gap-1.5">
          <EvidenceGlyph label={row.label} />
          {EVIDENCE_WORDS[row.label].word}
        </span>
        <span
          className="flex flex-wrap items-center gap-2.5 [&>svg]:flex-1 max-lg:col-span-2 max-lg:col-start-2 lg:grid lg:grid-cols-[2.75rem_minmax(5rem,1fr)_7rem]"
          title={row.title}
        >
          <span className="min-w-11 font-medium lg:text-right">{row.percent}</span>
          <Whisker high={row.high} low={row.low} rate={row.rate} solid={isClaim(row.label)} />
          <span className="min-w-28 whitespace-nowrap text-muted text-xs">{row.interval}</span>
        </span>
      </label>
    </li>
  )
}

/** Number of selected rows and the link to compare them; key `c` selects the focused row, then compares. */
export function PickBar() {
  const { picks, toggle, clear } = usePicks()
  const { open } = useAskServer()
  useCompareKey(picks, toggle, open)

  if (picks.length === 0) return null
  return (
    <section
      aria-label="Selected entries"
      className="on-screen sticky bottom-3 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-x-3 gap-y-1 rounded border border-line-strong bg-surface py-1.5 pr-1.5 pl-3"
    >
      <span aria-live="polite">{countOf(picks.length, 'entry')} selected</span>
      {picks.length < MIN_COMPARED_ROWS ? <span className="text-muted">select another</span> : null}
      {picks.length > MAX_COMPARED_ROWS ? (
        <span className="text-muted">the limit is {MAX_COMPARED_ROWS}</span>
      ) : null}
      {picks.length >= MIN_COMPARED_ROWS && picks.length <= MAX_COMPARED_ROWS ? (
        <a
          className="inline-flex h-8 items-center rounded bg-accent px-2.5 text-accent-ink"
          href={comparePath(picks)}
          onClick={(event) => {
            if (!isPlainClick(event)) return
            event.preventDefault()
            open(comparePath(picks))
          }}
        >
          Compare
        </a>
      ) : null}
      <Button
        onClick={() => {
          handFocusTo(`tr[data-row="${CSS.escape(picks.at(-1) ?? '')}"] input`)
          clear()
        }}
        tone="quiet"
      >
        Clear
      </Button>
    </section>
  )
}

/** `c`: compares the selection if it has two or more rows, otherwise selects the focused row. */
function useCompareKey(
  picks: readonly string[],
  toggle: (rowId: string) => void,
  open: (href: string) => void,
): void {
  useEffect(() => {
    const act = () => {
      const focused = picks.length < MIN_COMPARED_ROWS ? focusedRow() : null
      if (focused === null) open(comparePath(picks))
      else if (!picks.includes(focused)) toggle(focused)
    }
    const listen = (event: KeyboardEvent) => {
      const isPlain = !(event.altKey || event.ctrlKey || event.metaKey)
      if (event.key === 'c' && isPlain && !isTyping(event.target)) act()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [picks, open, toggle])
}

/** The id of the focused board row. */
function focusedRow(): string | null {
  return document.activeElement?.closest<HTMLElement>('tr[data-label]')?.dataset.row ?? null
}

type Picks = { picks: readonly string[]; toggle: (rowId: string) => void }

const Picked = createContext<Picks>({ picks: [], toggle: () => {} })

/** Provides the selection to all boxes inside: reading the URL in each row would be slow. */
export function PickBoxes({ children }: { children: ReactNode }) {
  return <Picked value={usePicks()}>{children}</Picked>
}

/** Selects a row of the board for a comparison. */
export function PickBox({ rowId, name }: { rowId: string; name: string }) {
  const { picks, toggle } = useContext(Picked)
  return (
    <input
      aria-label={`Select ${visibleText(name)} for comparison`}
      checked={picks.includes(rowId)}
      className="scripted block size-4 max-sm:size-6 accent-[var(--accent)]"
      data-needs-server
      onChange={() => toggle(rowId)}
      title="Select for comparison (c)"
      type="checkbox"
    />
  )
}

/** Selects all comparable rows of a table, or none. */
export function PickAll({ rowIds }: { rowIds: readonly string[] }) {
  const { picks, set } = usePicks()
  const some = rowIds.slice(0, MAX_COMPARED_ROWS)
  const isAll = some.length > 0 && some.every((id) => picks.includes(id))
  return (
    <input
      aria-label={
        rowIds.length > MAX_COMPARED_ROWS
          ? `Select the first ${MAX_COMPARED_ROWS} for comparison`
          : 'Select all for comparison'
      }
      checked={isAll}
      className="scripted block size-4 accent-[var(--accent)]"
      onChange={() => set(isAll ? [] : some)}
      type="checkbox"
    />
  )
}

/** The selected rows in order of selection, stored in the URL. */
function usePicks() {
  const [picks, setPicks] = useQueryState('pick', pickParser)
  const toggle = (rowId: string) =>
    void setPicks((before) =>
      before.includes(rowId) ? before.filter((other) => other !== rowId) : [...before, rowId],
    )
  const set = (rowIds: readonly string[]) => void setPicks(rowIds.length > 0 ? [...rowIds] : null)
  return { picks, toggle, set, clear: () => set([]) }
}

/** `pick=row_…,row_…` */
const pickParser = parseAsArrayOf(parseAsString).withDefault([]).withOptions({ history: 'replace' })
