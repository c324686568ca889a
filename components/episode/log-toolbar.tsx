import { ArrowDownToLine, ChevronDown, ChevronUp } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { formatBytes, formatCount, plural } from '../ui/format.ts'
import type { LogHits, LogReader } from './use-log.ts'

type LogToolbarProps = {
  find: string
  hit: number
  hits: number
  more: LogHits['more']
  line: number | null
  follow: boolean
  onFind: (text: string) => void
  onStep: (by: number) => void
  onLine: (line: number | null) => void
  onFollow: (follow: boolean) => void
}

/** Search, line number and follow controls of a log. */
export function LogToolbar(props: LogToolbarProps) {
  const { find, hit, hits, more, line, follow, onFind, onStep, onLine, onFollow } = props
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b bg-sunken p-2">
      <label className="min-w-0 flex-1 basis-40 sm:max-w-64">
        <span className="sr-only">Search this log</span>
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
            {sayHits({ hit, hits, more })}
          </span>
          <Button aria-label="Previous match" className="w-8 px-0" onClick={() => onStep(-1)}>
            <ChevronUp aria-hidden size={14} />
          </Button>
          <Button aria-label="Next match" className="w-8 px-0" onClick={() => onStep(1)}>
            <ChevronDown aria-hidden size={14} />
          </Button>
        </>
      )}
      <label className="ml-auto flex items-center gap-2 text-muted">
        Line
        <input
          className="h-8 w-20 rounded border border-line-strong bg-surface px-2 text-ink"
          inputMode="numeric"
          min={1}
          onChange={(event) => onLine(Math.floor(event.target.valueAsNumber) || null)}
          type="number"
          value={line ?? ''}
        />
      </label>
      <Button
        aria-pressed={follow}
        className="aria-pressed:border-accent aria-pressed:bg-accent-soft"
        onClick={() => onFollow(!follow)}
      >
        <ArrowDownToLine aria-hidden size={14} />
        Follow
      </Button>
    </div>
  )
}

/** `3 of 12 lines`, and whether there can be more. */
function sayHits({ hit, hits, more }: Pick<LogToolbarProps, 'hit' | 'hits' | 'more'>): string {
  if (more === 'failed') return 'search failed'
  if (hits === 0) {
    if (more === 'searching') return 'searching…'
    return more === 'time' ? 'no matches in the part that was searched' : 'no matches'
  }
  const some = `${formatCount(hit + 1)} of ${formatCount(hits)} lines`
  if (more === 'limit') return `${some}, more exist`
  return more === 'time' ? `${some} in the part that was searched` : some
}

/** Size of the log and loading state. */
export function LogStatus({ log }: { log: LogReader }) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3 border-line border-t bg-sunken px-3 py-1 text-muted text-xs">
      {log.state === 'failed' ? (
        <>
          <span className="text-bad">Loading failed. Loaded lines are still shown.</span>
          <Button onClick={log.retry}>Try again</Button>
        </>
      ) : null}
      <span>
        {log.isExact ? '' : 'about '}
        {plural(log.total, 'line')}, {formatBytes(log.sizeBytes)}
        {log.state === 'reading' ? ', loading…' : ''}
      </span>
    </div>
  )
}
