import type { PointerEvent } from 'react'

type ResizeHandleProps = {
  id: string
  onResize: (widths: Record<string, number>) => void
}

const MIN_WIDTH = 56

/** The right edge of a header, which can be dragged to resize the column. */
export function ResizeHandle({ id, onResize }: ResizeHandleProps) {
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
  return (
    <span
      aria-hidden="true"
      className="on-screen absolute inset-y-0 right-0 hidden w-2 cursor-col-resize touch-none border-transparent border-r-2 hover:border-line-strong lg:block"
      data-resize={id}
      onPointerDown={drag}
    />
  )
}

/** Returns the current widths of all columns. */
function widthsOf(handle: HTMLElement): Record<string, number> {
  const heads = handle.closest('thead')?.querySelectorAll<HTMLElement>('[data-resize]') ?? []
  return Object.fromEntries(
    [...heads].map((one) => [
      one.dataset.resize ?? '',
      Math.round(one.closest('th')?.getBoundingClientRect().width ?? 0),
    ]),
  )
}
