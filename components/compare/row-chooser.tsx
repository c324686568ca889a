'use client'

import { useEffect, useRef, useState } from 'react'
import { EVIDENCE_WORDS } from '#lib/domain/board/index.ts'
import { isClaim } from '#lib/domain/compare/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { EvidenceGlyph } from '../board/evidence.tsx'
import { Whisker } from '../charts/whisker.tsx'
import { Button } from '../ui/button.tsx'
import { Search } from '../ui/icons.tsx'
import type { ChooserGroup, ChooserRow } from './to-chooser-groups.ts'

type RowChooserProps = {
  groups: readonly ChooserGroup[]
  chosen: readonly string[]
  query: string
}

/** Form with all rows by suite version; works without JavaScript, which only adds the search. */
export function RowChooser({ groups, chosen, query: requested }: RowChooserProps) {
  const form = useRef<HTMLFormElement>(null)
  const [query, setQuery] = useState(requested)
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
      <div className="on-screen sticky top-0 z-10 flex flex-wrap items-center gap-2 border-line border-b bg-bg py-2">
        <label className="scripted relative block w-full sm:w-64">
          <span className="sr-only">Search entries, versions, models and suites</span>
          <Search aria-hidden className="absolute top-2 left-2 text-muted" size={16} />
          <input
            className="h-8 w-full rounded border border-line-strong bg-surface pr-2 pl-8"
            data-search
            // Not `value`: React would also write it into the markup, and browsers would not restore the text on back
            // navigation.
            defaultValue={requested}
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
          <Whisker
            colour={row.colour}
            high={row.high}
            low={row.low}
            rate={row.rate}
            solid={isClaim(row.label)}
          />
          <span className="min-w-28 whitespace-nowrap text-muted text-xs">{row.interval}</span>
        </span>
      </label>
    </li>
  )
}
