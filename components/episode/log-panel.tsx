'use client'

import { useQueryStates } from 'nuqs'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { LogRange } from '#lib/domain/views/episode-view.ts'
import { AnsiText } from './ansi-text.tsx'
import { cutLine } from './cut-line.ts'
import { findLines } from './log-lines.ts'
import { LogStatus } from './log-status.tsx'
import { LogToolbar } from './log-toolbar.tsx'
import { type LogName, lineOfHash, logViewParsers } from './log-view.ts'
import { useLog } from './use-log.ts'
import { type ScrollTarget, VirtualLines } from './virtual-lines.tsx'

type LogPanelProps = { episodeId: string; name: LogName; first: LogRange | null }

/** One log: range-read, searchable, with a line that a link can point at. */
export function LogPanel({ episodeId, name, first }: LogPanelProps) {
  const log = useLog({ episodeId, role: `${name}-log`, first })
  const [view, setView] = useQueryStates(logViewParsers, { history: 'replace' })
  const [follow, setFollow] = useState(false)
  const [hit, setHit] = useState(0)
  const find = useDeferredValue(view.find)
  const hits = useMemo(() => findLines(log.lines, find), [log.lines, find])
  const frame = useRef<HTMLDivElement>(null)
  const { want } = log

  useEffect(() => {
    const line = lineOfHash(location.hash)
    if (line) void setView({ line })
    if (line || new URLSearchParams(location.search).has('line')) frame.current?.scrollIntoView()
  }, [setView])

  useEffect(() => {
    if (view.line) want(view.line + 100)
    if (follow || find) want(Number.POSITIVE_INFINITY)
  }, [view.line, follow, find, want])

  const readOn = useCallback(() => want(log.lines.length + 1), [want, log.lines.length])
  const renderLine = useCallback(
    (index: number) => (
      <LogLine
        find={find}
        line={log.lines[index] ?? ''}
        name={name}
        number={index + 1}
        onSelect={(line) => void setView({ line })}
        selected={view.line === index + 1}
      />
    ),
    [log.lines, find, name, view.line, setView],
  )
  const target = useTarget({ follow, count: log.lines.length, hit: hits[hit], line: view.line })
  const step = (by: number) => {
    setFollow(false)
    setHit((at) => (hits.length === 0 ? 0 : (at + by + hits.length) % hits.length))
  }

  return (
    <div className="overflow-hidden rounded border border-line" ref={frame}>
      <LogToolbar
        find={view.find}
        follow={follow}
        hit={hit}
        hits={hits.length}
        line={view.line}
        onFind={(text) => {
          setHit(0)
          void setView({ find: text })
        }}
        onFollow={setFollow}
        onLine={(line) => void setView({ line })}
        onStep={step}
      />
      <VirtualLines
        count={log.lines.length}
        label={`${name} log`}
        onNearEnd={readOn}
        onWheelUp={() => setFollow(false)}
        renderLine={renderLine}
        target={target}
      />
      <LogStatus log={log} />
    </div>
  )
}

type Wishes = { follow: boolean; count: number; hit: number | undefined; line: number | null }

/** Where to scroll: the end while following, else the hit of the search, else the line of the link. */
function useTarget({ follow, count, hit, line }: Wishes): ScrollTarget {
  const there = line !== null && line <= count
  const end = follow ? count - 1 : null
  return useMemo(() => {
    if (end !== null) return { index: end, align: 'end' }
    if (hit !== undefined) return { index: hit, align: 'center' }
    return there && line !== null ? { index: line - 1, align: 'center' } : null
  }, [end, hit, there, line])
}

type LogLineProps = {
  number: number
  line: string
  find: string
  name: LogName
  selected: boolean
  onSelect: (line: number) => void
}

function LogLine({ number, line, find, name, selected, onSelect }: LogLineProps) {
  const { text, rest } = cutLine(line)
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
      <bdi className="pr-4">
        <AnsiText find={find} line={text} />
      </bdi>
      {rest ? <span className="text-muted">{rest}</span> : null}
    </div>
  )
}
