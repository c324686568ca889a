import type { ComponentProps, ReactNode, Ref } from 'react'
import { countOf } from '#lib/domain/text/index.ts'
import { AnsiText } from './ansi-text.tsx'
import { Button } from './button.tsx'
import { formatCount } from './format.ts'
import { ArrowDownToLine, ChevronDown, ChevronUp } from './icons.tsx'
import { VirtualLines } from './virtual-lines.tsx'

type LogViewProps = Omit<ComponentProps<typeof VirtualLines>, 'onMoveUp'> & {
  search: LogSearchProps
  follow: boolean
  onFollow: (follow: boolean) => void
  /** Further controls of the toolbar, before the button that follows the end. */
  tools: ReactNode
  /** Says how much of the log is loaded, and why not more. */
  status: ReactNode
  frame?: Ref<HTMLDivElement>
}

/** A log with search, follow mode, and a status line. */
export function LogView(props: LogViewProps) {
  const { search, follow, onFollow, tools, status, frame, ...lines } = props
  return (
    <div className="overflow-hidden rounded border border-line" ref={frame}>
      <div className="scripted flex flex-wrap items-center gap-2 border-line border-b bg-sunken p-2">
        <LogSearch {...search} />
        <span className="ml-auto flex flex-wrap items-center gap-2">
          {tools}
          <Button
            aria-pressed={follow}
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft"
            onClick={() => onFollow(!follow)}
          >
            <ArrowDownToLine aria-hidden size={14} />
            Follow
          </Button>
        </span>
      </div>
      <VirtualLines {...lines} onMoveUp={() => onFollow(false)} />
      <div className="flex min-h-9 flex-wrap items-center gap-3 border-line border-t bg-sunken px-3 py-1 text-muted text-xs">
        {status}
        <noscript>Search, links to lines and longer logs need JavaScript.</noscript>
      </div>
    </div>
  )
}

type LogSearchProps = {
  label: string
  find: string
  /** Number of matches, as text. */
  found: string
  onFind: (text: string) => void
  onStep: (by: number) => void
}

/** The search of a list of lines: a field, the number of matches, and buttons for the next and previous one. */
export function LogSearch({ label, find, found, onFind, onStep }: LogSearchProps) {
  return (
    <>
      <label className="min-w-0 flex-1 basis-40 sm:max-w-64">
        <span className="sr-only">{label}</span>
        <input
          className="h-8 w-full rounded border border-line-strong bg-surface px-2"
          data-search
          onChange={(event) => onFind(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
          }}
          placeholder="Search  ( / )"
          type="search"
          value={find}
        />
      </label>
      {find === '' ? null : (
        <>
          <span aria-live="polite" className="text-muted">
            {found}
          </span>
          <Button aria-label="Previous match" className="w-8 px-0" onClick={() => onStep(-1)}>
            <ChevronUp aria-hidden size={14} />
          </Button>
          <Button aria-label="Next match" className="w-8 px-0" onClick={() => onStep(1)}>
            <ChevronDown aria-hidden size={14} />
          </Button>
        </>
      )}
    </>
  )
}

/** Formats `3 of 12 lines`. */
export function formatHits(hit: number, hits: number): string {
  return hits === 0 ? 'no matches' : `${formatCount(hit + 1)} of ${countOf(hits, 'line')}`
}

type LogRowProps = {
  selected: boolean
  /** The line's number or source. */
  prefix: ReactNode
  /** Null = not loaded. */
  text: string | null
  find: string
  /** Note on the omitted part of the line. */
  rest: string | null
}

/** One line of a log. */
export function LogRow({ selected, prefix, text, find, rest }: LogRowProps) {
  return (
    <div
      aria-current={selected ? 'true' : undefined}
      className="flex hover:bg-sunken aria-[current=true]:bg-accent-soft"
    >
      {prefix}
      {text === null ? (
        <span className="text-muted">…</span>
      ) : (
        <bdi className="pr-4">
          <AnsiText find={find} line={text} />
        </bdi>
      )}
      {rest ? <span className="pr-4 text-muted">{rest}</span> : null}
    </div>
  )
}
