'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import type { LogRange } from '#lib/domain/api/episode-view.ts'
import { AnsiText } from '../ui/ansi-text.tsx'
import { visibleText } from '../ui/format.ts'
import { cutLine } from '../ui/log-lines.ts'
import { ScaledLines } from '../ui/scaled-lines.tsx'
import { ScrollBox } from '../ui/table.tsx'
import { LogStatus, LogToolbar } from './log-toolbar.tsx'
import type { LogName } from './log-view.ts'
import { type DiffLine, parseDiff } from './parse-diff.ts'
import { type DrawnLine, useLog, useLogPanel } from './use-log.ts'

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
    <div className="overflow-hidden rounded border border-line" ref={frame}>
      <LogToolbar
        find={panel.typed}
        follow={panel.follow}
        hit={panel.hit}
        hits={panel.hits}
        more={panel.more}
        line={line}
        onFind={panel.search}
        onFollow={setFollow}
        onLine={panel.goTo}
        onStep={panel.step}
      />
      <ScaledLines
        count={log.total}
        label={`${name} log`}
        onMoveUp={() => setFollow(false)}
        onSee={log.see}
        renderLine={renderLine}
        target={panel.target}
      />
      <LogStatus log={log} />
    </div>
  )
}

type LogLineProps = {
  number: number
  line: DrawnLine | null
  find: string
  name: LogName
  selected: boolean
  onSelect: (line: number) => void
}

function LogLine({ number, line, find, name, selected, onSelect }: LogLineProps) {
  return (
    <div
      aria-current={selected ? 'true' : undefined}
      className="flex hover:bg-sunken aria-[current=true]:bg-accent-soft"
    >
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
      {line ? (
        <bdi className="pr-4">
          <AnsiText find={find} line={line.text} />
        </bdi>
      ) : (
        <span className="text-muted">…</span>
      )}
      {line?.rest ? <span className="text-muted">{line.rest}</span> : null}
    </div>
  )
}

const TONES: Record<DiffLine['sign'], string> = {
  '+': 'bg-good-soft',
  '-': 'bg-bad-soft',
  ' ': '',
  '@': 'bg-sunken text-muted',
  file: 'bg-sunken font-medium',
}

/** Changes in the workspace; sign and colour show added and removed lines. */
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

/** One solution file with line numbers, as it was verified. */
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

const LINE_PX = 20
/** Up to this number all lines are rendered, so browser search and no-script readers find them. */
const ALL_BELOW = 400

type VirtualLinesProps = {
  label: string
  count: number
  renderLine: (index: number) => ReactNode
}

/** A virtual list of lines of equal height. */
function VirtualLines({ label, count, renderLine }: VirtualLinesProps) {
  const box = useRef<HTMLElement>(null)
  const lines = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: count <= ALL_BELOW ? ALL_BELOW : 20,
    initialRect: { width: 800, height: 480 },
  })
  const items = lines.getVirtualItems()

  return (
    <ScrollBox
      aria-label={label}
      className="max-h-[30rem] overflow-auto bg-surface font-mono text-xs"
      ref={box}
    >
      <div className="relative min-w-max" style={{ height: lines.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <div
            className="absolute top-0 left-0 min-w-full whitespace-pre leading-5"
            key={index}
            style={{ height: LINE_PX, transform: `translateY(${start}px)` }}
          >
            {renderLine(index)}
          </div>
        ))}
      </div>
    </ScrollBox>
  )
}
