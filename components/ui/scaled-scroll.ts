/** Browsers limit elements to 16–33 million pixels; a higher list is scrolled in overlapping pages. */
const MAX_PX = 8e6
const PAGES_HIGH = 100

/** Layout of a list of `listPx` in an element of `boxPx`: pages, each `jumpPx` below the previous one. */
export type Scale = {
  listPx: number
  boxPx: number
  pagePx: number
  pages: number
  jumpPx: number
}

/** Scroll position: the element's `top`, and the offset of the list. */
export type ScrollPlace = { top: number; shift: number }

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
