import Link from 'next/link'
import { NavLink } from './nav-link.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

/** The quiet bar on top of every page. */
export function SiteHeader() {
  return (
    <header className="border-line border-b bg-surface">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 sm:h-12 sm:py-0">
        <Link className="flex items-center gap-2 font-semibold text-base" href="/">
          <svg aria-hidden="true" className="size-5" viewBox="0 0 20 20">
            <path
              d="M2 10h16M2 6.5v7M18 6.5v7"
              fill="none"
              stroke="var(--accent)"
              strokeLinecap="round"
              strokeWidth="1.6"
            />
            <circle cx="12" cy="10" fill="currentColor" r="3" />
          </svg>
          Proofboard
        </Link>
        <nav
          aria-label="Main"
          className="order-last -ml-2 flex basis-full gap-1 sm:order-none sm:basis-auto"
        >
          <NavLink href="/">Board</NavLink>
          <NavLink href="/runs">Runs</NavLink>
          <NavLink href="/suites">Suites</NavLink>
          <NavLink href="/compare">Compare</NavLink>
          <NavLink href="/reports">Reports</NavLink>
          <NavLink href="/plan">Plan</NavLink>
        </nav>
        <div className="ml-auto flex gap-1">
          <Shortcuts />
          <ThemeSwitch />
        </div>
      </div>
    </header>
  )
}
