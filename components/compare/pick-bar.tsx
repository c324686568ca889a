'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { plural } from '#components/format/number.ts'
import { Button } from '#components/ui/button.tsx'
import { isTyping } from '#components/ui/is-typing.ts'
import { FEWEST_ROWS, MOST_ROWS } from '#lib/domain/compare/limits.ts'
import { comparePath } from '#lib/domain/compare/parse-row-ids.ts'
import { usePicks } from './use-picks.ts'

/** How many rows are chosen, and the way to compare them; the key `c` chooses the focused row, then compares. */
export function PickBar() {
  const { picks, toggle, clear } = usePicks()
  useCompareKey(picks, toggle)

  if (picks.length === 0) return null
  return (
    <section
      aria-label="Chosen rows"
      className="sticky bottom-3 z-20 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-x-3 gap-y-1 rounded border border-line-strong bg-surface py-1.5 pr-1.5 pl-3"
    >
      <span aria-live="polite">{plural(picks.length, 'row')} chosen</span>
      {picks.length < FEWEST_ROWS ? <span className="text-muted">choose another</span> : null}
      {picks.length > MOST_ROWS ? (
        <span className="text-muted">at most {MOST_ROWS} are compared at once</span>
      ) : null}
      {picks.length >= FEWEST_ROWS && picks.length <= MOST_ROWS ? (
        <Link
          className="inline-flex h-8 items-center rounded bg-accent px-2.5 text-accent-ink"
          href={comparePath(picks)}
          prefetch={false}
        >
          Compare
        </Link>
      ) : null}
      <Button onClick={clear} tone="quiet">
        Clear
      </Button>
    </section>
  )
}

/** `c`: with two or more chosen, compares them; before that, chooses the row that holds the focus. */
function useCompareKey(picks: readonly string[], toggle: (rowId: string) => void): void {
  const router = useRouter()
  useEffect(() => {
    const act = () => {
      const focused = picks.length < FEWEST_ROWS ? focusedRow() : null
      if (focused === null) router.push(comparePath(picks))
      else if (!picks.includes(focused)) toggle(focused)
    }
    const listen = (event: KeyboardEvent) => {
      const isPlain = !(event.altKey || event.ctrlKey || event.metaKey)
      if (event.key === 'c' && isPlain && !isTyping(event.target)) act()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [picks, router, toggle])
}

/** The id of the board row that holds the focus. */
function focusedRow(): string | null {
  return document.activeElement?.closest<HTMLElement>('tr[data-label]')?.dataset.row ?? null
}
