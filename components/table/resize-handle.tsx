import type { KeyboardEvent, PointerEvent } from 'react'
import { countOf } from '#lib/domain/text/index.ts'

type ResizeHandleProps = {
  id: string
  /** Name of the column. */
  name: string
  /** In pixels; absent = by content. */
  width: number | undefined
  /** True = reached by Tab; the handles of the other columns by the up and down arrows. */
  isStop: boolean
  onResize: (widths: Record<string, number>) => void
}

const MIN_WIDTH = 56
const MAX_WIDTH = 2000
const KEY_STEP = 16

/** The right edge of a header, which pointer or arrow keys move to resize the column. */
export function ResizeHandle({ id, name, width, isStop, onResize }: ResizeHandleProps) {
  const resize = (all: Record<string, number>, width: number) =>
    onResize({ ...all, [id]: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(width))) })
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
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const handle = event.currentTarget
    const [step, move] = KEYS[event.key] ?? [0, 0]
    if (step === 0 && move === 0) return
    event.preventDefault()
    const all = widthsOf(handle)
    if (step !== 0) return resize(all, (all[id] ?? 0) + step)
    const handles = handlesBeside(handle)
    handles[handles.indexOf(handle) + move]?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line cannot be moved.
    <span
      aria-orientation="vertical"
      aria-valuemax={MAX_WIDTH}
      aria-valuemin={MIN_WIDTH}
      aria-valuenow={width ?? MIN_WIDTH}
      // A label would become a part of the column's name.
      aria-valuetext={`${name}: ${width === undefined ? 'width by content' : countOf(width, 'pixel')}`}
      className="on-screen scripted absolute inset-y-0 right-0 hidden w-2 cursor-col-resize touch-none border-transparent border-r-2 hover:border-line-strong focus-visible:border-accent focus-visible:-outline-offset-2 lg:block"
      data-resize={id}
      onKeyDown={press}
      onPointerDown={drag}
      role="separator"
      tabIndex={isStop ? 0 : -1}
    />
  )
}

/** Pixels by which a key resizes, and columns by which it moves the focus. */
const KEYS: Readonly<Record<string, readonly [step: number, move: number]>> = {
  ArrowLeft: [-KEY_STEP, 0],
  ArrowRight: [KEY_STEP, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

function handlesBeside(handle: HTMLElement): HTMLElement[] {
  return [...(handle.closest('thead')?.querySelectorAll<HTMLElement>('[data-resize]') ?? [])]
}

/** Returns the current widths of all columns. */
function widthsOf(handle: HTMLElement): Record<string, number> {
  return Object.fromEntries(
    handlesBeside(handle).map((one) => [
      one.dataset.resize ?? '',
      Math.round(one.closest('th')?.getBoundingClientRect().width ?? 0),
    ]),
  )
}
