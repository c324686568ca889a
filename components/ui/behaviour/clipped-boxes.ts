const BOXES =
  '.overflow-auto, .overflow-x-auto, .overflow-y-auto, .lg\\:overflow-x-auto, [data-scroll-box]'

/** Marks scroll containers with the sides that have hidden content, for the style of their edges. */
export function watchClippedBoxes(): () => void {
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const box = target.closest(BOXES)
      if (box instanceof HTMLElement) mark(box)
    }
  })
  const follow = () => {
    for (const box of document.querySelectorAll<HTMLElement>(BOXES)) {
      sizes.observe(box)
      for (const part of box.children) sizes.observe(part)
    }
  }
  const changes = new MutationObserver(follow)
  const onScroll = ({ target }: Event) => {
    if (target instanceof HTMLElement && target.matches(BOXES)) mark(target)
  }
  follow()
  changes.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('scroll', onScroll, { capture: true, passive: true })
  return () => {
    sizes.disconnect()
    changes.disconnect()
    document.removeEventListener('scroll', onScroll, { capture: true })
  }
}

function mark(box: HTMLElement): void {
  const { scrollTop, scrollLeft, scrollHeight, scrollWidth, clientHeight, clientWidth } = box
  const sides = [
    scrollHeight - clientHeight - scrollTop > 1 ? 'below' : '',
    scrollWidth - clientWidth - Math.abs(scrollLeft) > 1 ? 'right' : '',
    scrollTop > 1 ? 'above' : '',
    Math.abs(scrollLeft) > 1 ? 'left' : '',
  ]
  // Some boxes scroll only on a wide screen.
  const isBox = getComputedStyle(box).overflowX !== 'visible'
  const clips = isBox ? sides.filter(Boolean).join(' ') : ''
  if (clips === '') delete box.dataset.clips
  else if (box.dataset.clips !== clips) box.dataset.clips = clips
}
