import type { ComponentProps, ReactNode, Ref } from 'react'
import { countOf } from '#lib/domain/record/index.ts'
import { AnsiText } from './ansi-text.tsx'
import { Button } from './button.tsx'
import { formatCount } from './format.ts'
import { ArrowDownToLine, ChevronDown, ChevronUp } from './icons.tsx'
import { VirtualLines } from './virtual-lines.tsx'

type LogViewProps = Omit<ComponentProps<typeof VirtualLines>, 'onMoveUp'> & {
  search: LogSearchProps
  follow: boolean
  onFollow: (follow: boolean) => void
  /** More controls of the toolbar, before the button that follows the end. */
  tools: ReactNode
  /** How much of the log is here, and why not more. */
  status: ReactNode
  frame?: Ref<HTMLDivElement>
}

/** A log with its search, its end to follow, and a line of status. */
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
  /** What was found, in words. */
  found: string
  onFind: (text: string) => void
  onStep: (by: number) => void
}

/** The search of a list of lines: a field, what was found, and the way from match to match. */
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

/** `3 of 12 lines`. */
export function formatHits(hit: number, hits: number): string {
  return hits === 0 ? 'no matches' : `${formatCount(hit + 1)} of ${countOf(hits, 'line')}`
}

type LogRowProps = {
  selected: boolean
  /** The line's number or source. */
  prefix: ReactNode
  /** Null while it is not here. */
  text: string | null
  find: string
  /** What was left out of the line, in words. */
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
