'use client'

import { useCallback, useMemo, useRef } from 'react'
import type { LogRange } from '#lib/domain/api/index.ts'
import { Button } from '../ui/button.tsx'
import { formatBytes, plural, visibleText } from '../ui/format.ts'
import { cutLine } from '../ui/log-lines.ts'
import { formatHits, LogRow, LogView } from '../ui/log-view.tsx'
import { VirtualLines } from '../ui/virtual-lines.tsx'
import type { LogName } from './log-address.ts'
import { type DiffLine, parseDiff } from './parse-diff.ts'
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

/** `3 of 12 lines`, and whether there may be more. */
function describeHits({ hit, hits, more }: Hits): string {
  if (more === 'failed') return 'search failed'
  if (hits === 0 && more === 'searching') return 'searching…'
  const some = formatHits(hit, hits)
  if (more === 'limit' && hits > 0) return `${some}, the first that there are`
  return more === 'time' ? `${some} in the part that was searched` : some
}

/** How much of the log is here, and why not more. */
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
        {plural(log.total, 'line')}, {formatBytes(log.sizeBytes)}
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
          href={`?log=${name}&line=${number}`}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
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

const TONES: Record<DiffLine['sign'], string> = {
  '+': 'bg-good-soft',
  '-': 'bg-bad-soft',
  ' ': '',
  '@': 'bg-sunken text-muted',
  file: 'bg-sunken font-medium',
}

/** What the subject changed in the workspace; sign and colour say added or removed. */
export function DiffView({ diff }: { diff: string }) {
  const lines = useMemo(() => parseDiff(diff), [diff])
  const renderLine = useCallback(
    (index: number) => {
      const line = lines[index]
      return line ? <DiffRow line={line} /> : null
    },
    [lines],
  )
  return (
    <div className="overflow-hidden rounded border border-line">
      <VirtualLines count={lines.length} label="Lines of the diff" renderLine={renderLine} />
    </div>
  )
}

function DiffRow({ line }: { line: DiffLine }) {
  const { text, rest } = cutLine(line.text)
  const numbered = line.before !== null || line.after !== null
  return (
    <div className={`flex min-w-full ${TONES[line.sign]}`}>
      <span aria-hidden="true" className="w-11 shrink-0 select-none pr-2 text-right text-muted">
        {line.before}
      </span>
      <span aria-hidden="true" className="w-11 shrink-0 select-none pr-2 text-right text-muted">
        {line.after}
      </span>
      <span className="w-4 shrink-0">{numbered ? line.sign : ''}</span>
      <bdi className="pr-4">{visibleText(text)}</bdi>
      {rest ? <span className="text-muted">{rest}</span> : null}
    </div>
  )
}

type SourceViewProps = { path: string; text: string }

/** One solution file with line numbers, as it was judged. */
export function SourceView({ path, text }: SourceViewProps) {
  const lines = useMemo(() => text.replace(/\n$/, '').split('\n'), [text])
  const renderLine = useCallback(
    (index: number) => {
      const { text: shown, rest } = cutLine(lines[index] ?? '')
      return (
        <div className="flex">
          <span aria-hidden="true" className="w-12 shrink-0 select-none pr-3 text-right text-muted">
            {index + 1}
          </span>
          <bdi className="pr-4">{visibleText(shown)}</bdi>
          {rest ? <span className="text-muted">{rest}</span> : null}
        </div>
      )
    },
    [lines],
  )
  return (
    <div className="mb-3 overflow-hidden rounded border border-line">
      <p className="untrusted border-line border-b bg-sunken px-3 py-1.5 font-mono text-xs">
        {visibleText(path)}
      </p>
      <VirtualLines count={lines.length} label={`Solution ${path}`} renderLine={renderLine} />
    </div>
  )
}
