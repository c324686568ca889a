'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { ScrollBox } from '#components/ui/scroll-box.tsx'

export const LINE_PX = 20
/** As long as there are no more, all stand in the page: the browser's own search and no script find them. */
const ALL_BELOW = 400

export type ScrollTarget = { index: number; align: 'center' | 'end' } | null

type VirtualLinesProps = {
  label: string
  count: number
  renderLine: (index: number) => ReactNode
  target?: ScrollTarget
  onNearEnd?: () => void
  onWheelUp?: () => void
}

/** A box of equally high lines, of which only those in sight are in the page. */
export function VirtualLines(props: VirtualLinesProps) {
  const { label, count, renderLine, target = null, onNearEnd, onWheelUp } = props
  const box = useRef<HTMLElement>(null)
  const lines = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: count <= ALL_BELOW ? ALL_BELOW : 20,
    initialRect: { width: 800, height: 480 },
    initialOffset: Math.max(0, ((target?.index ?? 0) - 8) * LINE_PX),
  })
  const items = lines.getVirtualItems()
  const last = items.at(-1)?.index ?? 0

  useEffect(() => {
    if (target && target.index < count) lines.scrollToIndex(target.index, { align: target.align })
  }, [target, count, lines])

  useEffect(() => {
    if (last >= count - 30) onNearEnd?.()
  }, [last, count, onNearEnd])

  return (
    <ScrollBox
      aria-label={label}
      className="max-h-[30rem] overflow-auto bg-surface font-mono text-xs"
      onWheel={(event) => (event.deltaY < 0 ? onWheelUp?.() : undefined)}
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
