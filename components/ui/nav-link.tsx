'use client'

import { usePathname } from 'next/navigation'

type NavLinkProps = {
  href: string
  children: string
  /** Other parts of the site for which the link is current. */
  also?: readonly string[]
  /** True = pages below this address do not mark the link as current. */
  exact?: boolean
}

/**
 * A navigation link that marks the current page, also after client-side navigation, which does not render the layout
 * again.
 */
export function NavLink({ href, children, also = [], exact = href === '/' }: NavLinkProps) {
  const path = usePathname()
  const parts = exact ? also : [href, ...also]
  const here = path === href || parts.some((part) => `${path}/`.startsWith(`${part}/`))
  return (
    <a
      aria-current={here ? 'page' : undefined}
      className="rounded px-2 py-1 text-muted hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink"
      href={href}
    >
      {children}
    </a>
  )
}
