/** Browsers cut elements at 16 to 33 million pixels; a list that is higher is scrolled in pages that overlap. */
const MOST_PX = 8e6
const PAGES_HIGH = 100

/** How a list of `listPx` lies in an element of `boxPx`: in pages, each `jumpPx` further down than the one before. */
export type Scale = {
  listPx: number
  boxPx: number
  pagePx: number
  pages: number
  jumpPx: number
}

/** Where a list is scrolled to: the element's own `top`, and how far the list is shifted below it. */
export type ScrollPlace = { top: number; shift: number }

export function scaleOf(listPx: number, mostPx = MOST_PX): Scale {
  if (listPx <= mostPx) return { listPx, boxPx: listPx, pagePx: listPx, pages: 1, jumpPx: 0 }
  const pagePx = mostPx / PAGES_HIGH
  const pages = Math.max(2, Math.floor(listPx / pagePx))
  return { listPx, boxPx: mostPx, pagePx, pages, jumpPx: (listPx - mostPx) / (pages - 1) }
}

/** The place that shows the list from `y` on, or from as near as there is. */
export function placeAt(scale: Scale, viewPx: number, y: number): ScrollPlace {
  const within = Math.max(0, Math.min(y, scale.listPx - viewPx))
  const page = Math.min(scale.pages - 1, Math.floor(within / (scale.pagePx || 1)))
  const shift = Math.round(page * scale.jumpPx)
  return { top: within - shift, shift }
}

/** The place after the element was scrolled to `top`: a short way is taken exactly, a long one by proportion. */
export function placeScrolled(
  scale: Scale,
  viewPx: number,
  before: ScrollPlace,
  top: number,
): ScrollPlace {
  if (scale.pages === 1) return { top, shift: 0 }
  if (Math.abs(top - before.top) < viewPx) return placeAt(scale, viewPx, top + before.shift)
  const share = top / (scale.boxPx - viewPx)
  const page = Math.floor((share * (scale.listPx - viewPx)) / scale.pagePx)
  return { top, shift: Math.round(Math.min(scale.pages - 1, page) * scale.jumpPx) }
}
