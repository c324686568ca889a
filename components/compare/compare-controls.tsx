'use client'

import { parseAsArrayOf, parseAsString, useQueryState } from 'nuqs'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { comparePath, MAX_COMPARED_ROWS, MIN_COMPARED_ROWS } from '#lib/domain/compare/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { useAskServer } from '../ui/ask-server.tsx'
import { isPlainClick } from '../ui/behaviour/plain-click.ts'
import { Button } from '../ui/button.tsx'
import { visibleText } from '../ui/format.ts'
import { handFocusTo } from '../ui/hand-focus.ts'
import { isTyping } from '../ui/keyboard.ts'

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
