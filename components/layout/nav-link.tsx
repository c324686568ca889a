'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'

/** A link of the header that knows whether one is there. */
export function NavLink({ href, children }: { href: string; children: string }) {
  const path = usePathname()
  const here = href === '/' ? path === '/' : path === href || path.startsWith(`${href}/`)
  return (
    <Link
      aria-current={here ? 'page' : undefined}
      className="rounded px-2 py-1 text-muted hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink"
      href={href}
    >
      {children}
    </Link>
  )
}
