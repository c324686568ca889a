'use client'

import { useCallback, useRef } from 'react'
import type { LogRange } from '#lib/domain/api/index.ts'
import { countOf } from '#lib/domain/text/index.ts'
import { isPlainClick } from '../ui/behaviour/plain-click.ts'
import { Button } from '../ui/button.tsx'
import { formatSize } from '../ui/format.ts'
import { formatHits, LogRow, LogView } from '../ui/log-view.tsx'
import type { LogName } from './log-address.ts'
import { type LogHits, type LogReader, type RenderedLine, useLog, useLogPanel } from './use-log.ts'

type LogPanelProps = { episodeId: string; name: LogName; first: LogRange }

/** One log, loaded in ranges, searchable, with linkable lines. */
export function LogPanel({ episodeId, name, first }: LogPanelProps) {
  const frame = useRef<HTMLDivElement>(null)
  const role = `${name}-log`
  const log = useLog({ episodeId, role, first })
  const panel = useLogPanel(log, { episodeId, role }, frame)
  const { lineAt } = log
  const { find, line, select, setFollow } = panel

  const renderLine = useCallback(
    (index: number) => (
      <LogLine
        find={find}
        line={lineAt(index)}
        name={name}
        number={index + 1}
        onSelect={select}
        selected={line === index + 1}
      />
    ),
    [lineAt, find, name, line, select],
  )

  return (
    <LogView
      count={log.total}
      follow={panel.follow}
      frame={frame}
      label={`${name} log`}
      onFollow={setFollow}
      onSee={log.see}
      renderLine={renderLine}
      search={{
        label: 'Search this log',
        find: panel.typed,
        found: describeHits(panel),
        onFind: panel.search,
        onStep: panel.step,
      }}
      status={<LogStatus log={log} />}
      target={panel.target}
      tools={<LineField line={line} onLine={panel.goTo} />}
    />
  )
}

type LineFieldProps = { line: number | null; onLine: (line: number | null) => void }

function LineField({ line, onLine }: LineFieldProps) {
  return (
    <label className="flex items-center gap-2 text-muted">
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
  )
}

type Hits = { hit: number; hits: number; more: LogHits['more'] }

/** Formats `3 of 12 lines`, and whether there may be more. */
function describeHits({ hit, hits, more }: Hits): string {
  if (more === 'failed') return 'search failed'
  if (hits === 0 && more === 'searching') return 'searching…'
  const some = formatHits(hit, hits)
  if (more === 'limit' && hits > 0) return `${some}, the first that there are`
  return more === 'time' ? `${some} in the part that was searched` : some
}

/** Says how much of the log is loaded, and why not more. */
function LogStatus({ log }: { log: LogReader }) {
  return (
    <>
      {log.state === 'failed' ? (
        <>
          <span className="text-bad">Loading failed. Loaded lines are still shown.</span>
          <Button onClick={log.retry}>Try again</Button>
        </>
      ) : null}
      <span>
        {log.isExact ? '' : 'about '}
        {countOf(log.total, 'line')}, {formatSize(log.sizeBytes)}
        {log.state === 'reading' ? ', loading…' : ''}
      </span>
    </>
  )
}

type LogLineProps = {
  number: number
  line: RenderedLine | null
  find: string
  name: LogName
  selected: boolean
  onSelect: (line: number) => void
}

function LogLine({ number, line, find, name, selected, onSelect }: LogLineProps) {
  return (
    <LogRow
      find={find}
      prefix={
        <a
          className="w-16 shrink-0 select-none pr-3 text-right text-muted hover:text-accent"
          href={`?tab=logs&log=${name}&line=${number}`}
          onClick={(event) => {
            if (!isPlainClick(event)) return
            event.preventDefault()
            onSelect(number)
          }}
          tabIndex={-1}
        >
          {number}
        </a>
      }
      rest={line?.rest ?? null}
      selected={selected}
      text={line?.text ?? null}
    />
  )
}
