'use client'

import { useCallback, useRef } from 'react'
import type { LogRange } from '#lib/domain/views/episode-view.ts'
import { AnsiText } from './ansi-text.tsx'
import { cutLine } from './cut-line.ts'
import { LogStatus } from './log-status.tsx'
import { LogToolbar } from './log-toolbar.tsx'
import type { LogName } from './log-view.ts'
import { useLog } from './use-log.ts'
import { useLogPanel } from './use-log-panel.ts'
import { VirtualLines } from './virtual-lines.tsx'

type LogPanelProps = { episodeId: string; name: LogName; first: LogRange | null }

/** One log: range-read, searchable, with a line that a link can point at. */
export function LogPanel({ episodeId, name, first }: LogPanelProps) {
  const frame = useRef<HTMLDivElement>(null)
  const log = useLog({ episodeId, role: `${name}-log`, first })
  const panel = useLogPanel(log, frame)
  const { lines, want } = log
  const { find, line, select, setFollow } = panel

  const readOn = useCallback(() => want(lines.length + 1), [want, lines.length])
  const renderLine = useCallback(
    (index: number) => (
      <LogLine
        find={find}
        line={lines[index] ?? ''}
        name={name}
        number={index + 1}
        onSelect={select}
        selected={line === index + 1}
      />
    ),
    [lines, find, name, line, select],
  )

  return (
    <div className="overflow-hidden rounded border border-line" ref={frame}>
      <LogToolbar
        find={panel.typed}
        follow={panel.follow}
        hit={panel.hit}
        hits={panel.hits}
        line={line}
        onFind={panel.search}
        onFollow={setFollow}
        onLine={panel.goTo}
        onStep={panel.step}
      />
      <VirtualLines
        count={lines.length}
        label={`${name} log`}
        onNearEnd={readOn}
        onWheelUp={() => setFollow(false)}
        renderLine={renderLine}
        target={panel.target}
      />
      <LogStatus log={log} />
    </div>
  )
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
