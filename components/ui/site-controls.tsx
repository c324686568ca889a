'use client'

import { Keyboard, Moon, Sun } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { ThemeProvider, useTheme } from 'next-themes'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from './button.tsx'
import { isTyping } from './keyboard.ts'
import { replayEarlyInput } from './replay-early-input.ts'

const KEYS = [
  ['/', 'Focus the search field'],
  ['?', 'Show keyboard shortcuts'],
  ['↑ ↓ ← →', 'Move through table rows and cells'],
  ['Home, End', 'Go to the first or last link of a row'],
  ['Enter', 'Open the link or the details'],
  ['c', 'On the board: select the focused entry; with two or more selected, compare them'],
  ['j, k', 'On an episode: go to the next or previous failed one of its run'],
  ['Esc', 'Close the open dialog or menu'],
] as const

/** The keys that work on every page, and the dialog that lists them. */
export function Shortcuts() {
  const dialog = useRef<HTMLDialogElement>(null)

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      if (event.key === '?') dialog.current?.showModal()
      if (event.key === '/' && focusSearch()) event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  return (
    <>
      <Button
        aria-label="Keyboard shortcuts"
        className="w-8 px-0 max-sm:hidden"
        onClick={() => dialog.current?.showModal()}
        title="Keyboard shortcuts (?)"
        tone="quiet"
      >
        <Keyboard aria-hidden size={16} />
      </Button>
      <dialog
        aria-labelledby="keys-title"
        className="m-auto w-[26rem] max-w-[calc(100vw-2rem)] rounded border border-line bg-surface p-5 text-ink backdrop:bg-[rgb(0_0_0/0.4)]"
        ref={dialog}
      >
        <h2 className="mb-3 font-semibold text-base" id="keys-title">
          Keyboard shortcuts
        </h2>
        <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2">
          {KEYS.map(([key, meaning]) => (
            <div className="contents" key={key}>
              <dt>
                <kbd className="rounded border border-line bg-sunken px-1.5 py-0.5 text-xs">
                  {key}
                </kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <form className="mt-5 flex justify-end" method="dialog">
          <Button type="submit">Close</Button>
        </form>
      </dialog>
    </>
  )
}

/** Focuses the page's search field; false when the page has none. */
function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('input[data-search]')
  search?.focus()
  search?.select()
  return search !== null
}

/** Switches between light and dark; follows the system setting until first used. */
export function ThemeSwitch() {
  const { resolvedTheme, setTheme } = useTheme()
  return (
    <Button
      aria-label="Switch between light and dark theme"
      className="w-8 px-0"
      onClick={() => setTheme(resolvedTheme === 'dark' ? 'light' : 'dark')}
      title="Switch between light and dark theme"
      tone="quiet"
    >
      <Sun aria-hidden className="hidden dark:block" size={16} />
      <Moon aria-hidden className="dark:hidden" size={16} />
    </Button>
  )
}

type NavLinkProps = {
  href: string
  children: string
  /** Other parts of the site that belong to it. */
  also?: readonly string[]
  /** True = pages below this address do not mark the link as current. */
  exact?: boolean
}

/** A navigation link that marks the current page. Six pages fetched ahead by every reader would be work that few use. */
export function NavLink({ href, children, also = [], exact = href === '/' }: NavLinkProps) {
  const path = usePathname()
  const parts = exact ? also : [href, ...also]
  const here = path === href || parts.some((part) => `${path}/`.startsWith(`${part}/`))
  return (
    <Link
      aria-current={here ? 'page' : undefined}
      className="rounded px-2 py-1 text-muted hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink"
      href={href}
      prefetch={false}
    >
      {children}
    </Link>
  )
}

/** Providers of theme and URL state; the theme script runs with the page's nonce. */
export function Providers({ children, nonce }: { children: ReactNode; nonce: string }) {
  useEffect(replayEarlyInput, [])
  return (
    <ThemeProvider attribute="data-theme" defaultTheme="system" enableSystem nonce={nonce}>
      <NuqsAdapter>{children}</NuqsAdapter>
    </ThemeProvider>
  )
}
