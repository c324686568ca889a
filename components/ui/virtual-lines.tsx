'use client'

import {
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { ScrollBox } from './table.tsx'

/** Height of `leading-5` in rem, which follows the user's text size. */
const LINE_REM = 1.25
const USUAL_REM_PX = 16
const FIRST_VIEW_PX = 480
const OVERSCAN = 20
/** Up to this number all lines are rendered, so browser search and no-script readers find them. */
const ALL_BELOW = 400

export type LineTarget = { index: number; align: 'center' | 'end' } | null

type VirtualLinesProps = {
  label: string
  count: number
  renderLine: (index: number) => ReactNode
  target?: LineTarget
  /** The currently rendered lines. */
  onSee?: (first: number, last: number) => void
  /** Called when the user scrolls up. */
  onMoveUp?: () => void
}

/** A virtual list of lines of equal height, of any length. */
export function VirtualLines(props: VirtualLinesProps) {
  const { label, count, renderLine, target = null, onSee, onMoveUp } = props
  const box = useRef<HTMLElement>(null)
  const place = useRef<ScrollPlace>({ top: 0, shift: 0 })
  const linePx = useLinePx()
  const scale = useMemo(() => scaleOf(count * linePx), [count, linePx])
  const [seen, setSeen] = useState({
    y: targetY(target, FIRST_VIEW_PX, linePx),
    shift: 0,
    viewPx: FIRST_VIEW_PX,
  })

  const show = useCallback((next: ScrollPlace, element: HTMLElement) => {
    place.current = next
    if (Math.abs(element.scrollTop - next.top) >= 1) element.scrollTop = next.top
    setSeen({ y: next.top + next.shift, shift: next.shift, viewPx: element.clientHeight })
  }, [])

  // A growing list keeps its position; a target is scrolled to.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const viewPx = element.clientHeight
    const y = target ? targetY(target, viewPx, linePx) : place.current.top + place.current.shift
    show(positionAt(scale, viewPx, y), element)
  }, [scale, target, show, linePx])

  const scrolled = (element: HTMLElement) => {
    const { top, shift } = place.current
    if (Math.abs(element.scrollTop - top) < 1) return
    const next = scrolledPosition(scale, element.clientHeight, place.current, element.scrollTop)
    if (next.top + next.shift < top + shift) onMoveUp?.()
    show(next, element)
  }

  const { first, last } = rangeOf(seen, count, linePx)
  useEffect(() => onSee?.(first, last), [first, last, onSee])

  return (
    <ScrollBox
      aria-label={label}
      data-lines-in-view
      className="max-h-[30rem] overflow-auto bg-surface font-mono text-xs [overflow-anchor:none]"
      onScroll={(event) => scrolled(event.currentTarget)}
      onWheel={(event) => (event.deltaY < 0 ? onMoveUp?.() : undefined)}
      ref={box}
    >
      <div
        className="relative min-w-max"
        style={{ height: scale.pages === 1 ? rem(count) : scale.boxPx }}
      >
        {Array.from({ length: last - first }, (_, place) => first + place).map((index) => (
          <div
            className="absolute top-0 left-0 min-w-full whitespace-pre leading-5"
            key={index}
            style={{
              height: rem(1),
              transform: `translateY(calc(${rem(index)} - ${seen.shift}px))`,
            }}
          >
            {renderLine(index)}
          </div>
        ))}
      </div>
    </ScrollBox>
  )
}

const rem = (lines: number) => `${lines * LINE_REM}rem`

function useLinePx(): number {
  const [px, setPx] = useState(LINE_REM * USUAL_REM_PX)
  useLayoutEffect(() => {
    const { fontSize } = getComputedStyle(document.documentElement)
    setPx(LINE_REM * Number.parseFloat(fontSize))
  }, [])
  return px
}

function targetY(target: LineTarget, viewPx: number, linePx: number): number {
  if (!target) return 0
  const top = target.index * linePx
  return Math.max(0, target.align === 'end' ? top + linePx - viewPx : top - viewPx / 2)
}

/** The lines from `first` up to, but not including, `last`. */
function rangeOf({ y, viewPx }: { y: number; viewPx: number }, count: number, linePx: number) {
  if (count <= ALL_BELOW) return { first: 0, last: count }
  const first = Math.min(Math.max(0, Math.floor(y / linePx) - OVERSCAN), count)
  return { first, last: Math.min(count, Math.ceil((y + viewPx) / linePx) + OVERSCAN) }
}

/** Browsers limit elements to 16–33 million pixels; a higher list is scrolled in overlapping pages. */
const MAX_PX = 8e6
const PAGES_HIGH = 100

/** Layout of a list of `listPx` in an element of `boxPx`: pages, each `jumpPx` below the previous one. */
type Scale = {
  listPx: number
  boxPx: number
  pagePx: number
  pages: number
  jumpPx: number
}

/** Scroll position: the element's `top`, and the offset of the list. */
type ScrollPlace = { top: number; shift: number }

export function scaleOf(listPx: number, mostPx = MAX_PX): Scale {
  if (listPx <= mostPx) return { listPx, boxPx: listPx, pagePx: listPx, pages: 1, jumpPx: 0 }
  const pagePx = mostPx / PAGES_HIGH
  const pages = Math.max(2, Math.floor(listPx / pagePx))
  return { listPx, boxPx: mostPx, pagePx, pages, jumpPx: (listPx - mostPx) / (pages - 1) }
}

/** The position that shows the list from `y`, or the nearest possible. */
export function positionAt(scale: Scale, viewPx: number, y: number): ScrollPlace {
  const within = Math.max(0, Math.min(y, scale.listPx - viewPx))
  const page = Math.min(scale.pages - 1, Math.floor(within / (scale.pagePx || 1)))
  const shift = Math.round(page * scale.jumpPx)
  return { top: within - shift, shift }
}

/** The position after scrolling to `top`: exact for short distances, proportional for long ones. */
export function scrolledPosition(
  scale: Scale,
  viewPx: number,
  before: ScrollPlace,
  top: number,
): ScrollPlace {
  if (scale.pages === 1) return { top, shift: 0 }
  if (Math.abs(top - before.top) < viewPx) return positionAt(scale, viewPx, top + before.shift)
  const share = top / (scale.boxPx - viewPx)
  const page = Math.floor((share * (scale.listPx - viewPx)) / scale.pagePx)
  return { top, shift: Math.round(Math.min(scale.pages - 1, page) * scale.jumpPx) }
}
