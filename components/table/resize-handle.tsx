import type { KeyboardEvent, PointerEvent } from 'react'
import type { Remembered } from './remembered.ts'

type ResizeHandleProps = {
  id: string
  name: string
  widths: Remembered['widths']
  onResize: (widths: Record<string, number>) => void
}

const MIN_WIDTH = 56
const STEP = 16

/** The right edge of a head: dragged, or moved by arrow keys, it changes the width of its column. */
export function ResizeHandle({ id, name, widths, onResize }: ResizeHandleProps) {
  const resize = (all: Record<string, number>, width: number) =>
    onResize({ ...all, [id]: Math.max(MIN_WIDTH, Math.round(width)) })
  const drag = (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget
    const all = widthsOf(handle)
    const from = event.clientX - (all[id] ?? 0)
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent) => resize(all, clientX - from)
    handle.addEventListener('pointermove', move)
    handle.addEventListener(
      'lostpointercapture',
      () => handle.removeEventListener('pointermove', move),
      { once: true },
    )
  }
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const all = widthsOf(event.currentTarget)
    resize(all, (all[id] ?? 0) + by)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is no horizontal rule.
    <span
      aria-label={`Width of ${name}`}
      aria-orientation="vertical"
      aria-valuemin={MIN_WIDTH}
      aria-valuenow={widths?.[id] ?? 0}
      className="on-screen absolute inset-y-0 right-0 hidden w-2 cursor-col-resize touch-none border-transparent border-r-2 hover:border-line-strong focus-visible:border-accent lg:block"
      data-resize={id}
      onKeyDown={step}
      onPointerDown={drag}
      role="separator"
      tabIndex={-1}
    />
  )
}

/** Returns the widths of all columns of the table, as they are drawn. */
function widthsOf(handle: HTMLElement): Record<string, number> {
  const heads = handle.closest('thead')?.querySelectorAll<HTMLElement>('[data-resize]') ?? []
  return Object.fromEntries(
    [...heads].map((one) => [
      one.dataset.resize ?? '',
      Math.round(one.closest('th')?.getBoundingClientRect().width ?? 0),
    ]),
  )
}
