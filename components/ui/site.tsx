import { Button } from './button.tsx'
import { UNKNOWN } from './format.ts'
import { CircleUser, Keyboard, Moon, Sun } from './icons.tsx'
import { NavLink } from './nav-link.tsx'

/** Inline script in the head of every page: behaviour/script.ts, bundled by next.config.ts. */
export function SiteScript({ nonce }: { nonce: string }) {
  // biome-ignore lint/style/noProcessEnv: replaced by its value when the site is built
  const html = { __html: process.env.SITE_SCRIPT ?? '' }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the project's own script, without data
  return <script dangerouslySetInnerHTML={html} nonce={nonce} suppressHydrationWarning />
}

/** Navigation at the top of every page; `isCopy` = pages without a server, which have fewer parts. */
export function SiteHeader({ isCopy = false }: { isCopy?: boolean }) {
  return (
    <header className="border-line border-b bg-surface">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 xl:h-14 xl:py-0">
        <a className="flex items-center gap-2 font-semibold text-base" href="/">
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
        </a>
        <nav
          aria-label="Main"
          className="order-last -ml-2 flex basis-full gap-1 overflow-x-auto xl:order-none xl:basis-auto"
        >
          <NavLink also={['/rows']} href="/">
            Leaderboard
          </NavLink>
          <NavLink href="/compare">Compare</NavLink>
          {isCopy ? null : <NavLink href="/suites">Tasks</NavLink>}
          <NavLink href="/agents">Agents</NavLink>
          <NavLink href="/models">Models</NavLink>
          <NavLink href="/reports">Reports</NavLink>
          <NavLink href="/history">History</NavLink>
          <NavLink also={['/episodes']} href="/runs">
            Runs
          </NavLink>
          <NavLink href="/methodology">Methodology</NavLink>
        </nav>
        <div className="ml-auto flex items-center gap-1">
          <Shortcuts />
          <ThemeSwitch />
          {isCopy ? null : <ServerLinks />}
        </div>
      </div>
    </header>
  )
}

/** Links that need the server. */
function ServerLinks() {
  return (
    <>
      <a
        className="ml-1 inline-flex h-8 items-center whitespace-nowrap rounded bg-accent px-3 font-medium text-accent-ink hover:opacity-90"
        href="/plan"
      >
        Measure<span className="max-[25rem]:sr-only">&nbsp;an agent</span>
      </a>
      <a
        aria-label="Account and administration"
        className="inline-flex size-8 shrink-0 items-center justify-center rounded text-muted hover:bg-sunken hover:text-ink"
        href="/admin"
        title="Account and administration"
      >
        <CircleUser aria-hidden size={18} />
      </a>
    </>
  )
}

type StaticCopyBannerProps = {
  /** Time of the copy's data. */
  at: string
  original: string
}

/** Shown on every page of a static copy: its date, the original's address, and how to check it. */
export function StaticCopyBanner({ at, original }: StaticCopyBannerProps) {
  return (
    <aside aria-label="Static copy" className="border-line border-b bg-sunken">
      <p className="mx-auto max-w-7xl px-4 py-1.5 text-muted text-xs">
        Static copy of <time dateTime={at}>{at.slice(0, 16).replace('T', ' ')} UTC</time>: nothing
        can be launched, uploaded or signed in to here.{' '}
        <a className="link" href="/check">
          Check this copy
        </a>
        {isOfThisMachine(original) ? null : (
          <>
            {' · '}
            <a className="link" href={original} rel="external">
              Original
            </a>
          </>
        )}
      </p>
    </aside>
  )
}

/** True for addresses of this machine, which others cannot open and which are not linked. */
function isOfThisMachine(address: string): boolean {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(address)
}

type SiteFooterProps = {
  version: string | null
  isCopy?: boolean
  /** Limitation of the pages. */
  note?: string | null
}

/** Version of Proofboard and links to the reference pages. */
export function SiteFooter({ version, isCopy = false, note = null }: SiteFooterProps) {
  return (
    <footer className="mt-16 border-line border-t">
      <div className="mx-auto flex max-w-7xl flex-wrap justify-between gap-x-6 gap-y-1 px-4 py-4 text-muted text-xs">
        <p>
          Proofboard {version ?? UNKNOWN}. An entry is ranked only when its evidence supports it.
        </p>
        {note === null ? null : <p>{note}</p>}
        <nav aria-label="More" className="flex flex-wrap gap-x-4 gap-y-1">
          {isCopy ? null : <FooterLinks />}
          <span className="max-sm:hidden">
            Press <kbd>?</kbd> for keyboard shortcuts
          </span>
        </nav>
      </div>
    </footer>
  )
}

function FooterLinks() {
  const links = [
    ['/audit', 'Audit'],
    ['/feed.xml', 'Feed'],
    ['/ledger', 'Ledger'],
    ['/api-reference', 'API'],
    ['/admin', 'Administration'],
  ] as const
  return links.map(([href, name]) => (
    <a className="link" href={href} key={href}>
      {name}
    </a>
  ))
}

const PAGES = [
  ['/admin', 'Overview'],
  ['/admin/launch', 'Launch'],
  ['/admin/queue', 'Queue'],
  ['/admin/uploads', 'Uploads'],
  ['/admin/accounts', 'Accounts'],
  ['/admin/tokens', 'Tokens'],
  ['/admin/audit', 'Audit log'],
  ['/admin/system', 'System'],
] as const

/** Navigation between the administration pages. */
export function AdminNav() {
  return (
    <nav aria-label="Administration" className="-ml-2 flex flex-wrap gap-1">
      {PAGES.map(([href, name]) => (
        <NavLink exact={href === '/admin'} href={href} key={href}>
          {name}
        </NavLink>
      ))}
    </nav>
  )
}

// Markup for the behaviour of every page in behaviour/start.ts.

const KEYS = [
  ['/', 'Focus the search field'],
  ['?', 'Show keyboard shortcuts'],
  ['↑ ↓ ← →', 'Move through table rows and cells; on the edge of a head, change its width'],
  ['Home, End', 'Go to the first or last link of a row'],
  ['Enter', 'Open the link or the details'],
  ['c', 'On the board: select the focused entry; with two or more selected, compare them'],
  ['j, k', 'On an episode: go to the next or previous failed one of its run'],
  ['Esc', 'Close the open dialog or menu'],
] as const

/** Keyboard shortcuts of every page, in a dialog. */
function Shortcuts() {
  return (
    <>
      <Button
        aria-label="Keyboard shortcuts"
        className="w-8 px-0 max-sm:hidden"
        data-shortcuts
        title="Keyboard shortcuts (?)"
        tone="quiet"
      >
        <Keyboard aria-hidden size={16} />
      </Button>
      <dialog
        aria-labelledby="keys-title"
        className="m-auto w-[26rem] max-w-[calc(100vw-2rem)] rounded border border-line bg-surface p-5 text-ink backdrop:bg-[rgb(0_0_0/0.4)]"
        data-keys
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

/** Switches between light and dark; follows the system setting until first used. */
function ThemeSwitch() {
  return (
    <Button
      aria-label="Switch between light and dark theme"
      className="w-8 px-0"
      data-theme-switch
      title="Switch between light and dark theme"
      tone="quiet"
    >
      <Sun aria-hidden className="hidden dark:block" size={16} />
      <Moon aria-hidden className="dark:hidden" size={16} />
    </Button>
  )
}
