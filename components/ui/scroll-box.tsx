import type { ComponentProps } from 'react'

type ScrollBoxProps = ComponentProps<'section'> & { 'aria-label': string }

/** A box that scrolls by itself, and that the keyboard can reach for it. */
export function ScrollBox(props: ScrollBoxProps) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll the box.
  return <section tabIndex={0} {...props} />
}
