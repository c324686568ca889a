import { NuqsAdapter } from 'nuqs/adapters/react'
import type { ReactNode } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { escapeMarkup, unescapeMarkup } from '#lib/domain/text/index.ts'
import { visibleText } from '../ui/format.ts'
import { SiteFooter, SiteHeader, StaticCopyBanner } from '../ui/site.tsx'
import { baseOf } from './addresses.ts'
import { BoardApp, type BoardAppProps } from './board-app.tsx'
import { leaderboardPath } from './board-data.ts'
import { PathContext } from './next-navigation.ts'
import type { SiteInput } from './site-input.ts'

/** A page loads only files of its own site, runs no inline scripts, and sends nothing. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Limitation of pages made from result files. */
export const UNCHECKED =
  'Computed from result files without a server. Registration of plans and evaluation of solutions by another machine were not checked.'

type PageContext = Pick<SiteInput, 'version' | 'copy'> & {
  /** Path of the file. */
  file: string
  /** Address of the page in the app. */
  address: string
  /** Converts an address to a file with its query or anchor; null = not part of the site. */
  find: (address: string) => string | null
}

/** Renders the page of a board, which works in the browser with the data that it contains. */
export function drawBoardPage(title: string, props: BoardAppProps, page: PageContext): string {
  const board = renderToString(
    <NuqsAdapter>
      <BoardApp {...props} />
    </NuqsAdapter>,
  )
  const content = (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: React's own markup, which is hydrated in the browser. */}
      <div dangerouslySetInnerHTML={{ __html: board }} id="board" />
      <p className="mt-8 text-muted">
        This board as data:{' '}
        <a className="link" href={leaderboardPath(props.board.suite.suiteId)}>
          JSON
        </a>
      </p>
    </>
  )
  return drawPage(title, content, page, { script: 'board', data: JSON.stringify(props) })
}

/** `data` = JSON from which the script renders the page again. */
type PageScript = { script: 'board' | 'check'; data?: string }

/** Renders a page as a complete document, with a script in addition to the common one. */
export function drawPage(
  title: string,
  content: ReactNode,
  { file, address, find, version, copy }: PageContext,
  own: PageScript | null = null,
): string {
  const base = baseOf(file)
  const markup = renderToStaticMarkup(
    <PathContext value={address}>
      <html data-still={own?.data === undefined || undefined} data-without-server lang="en">
        {/* biome-ignore lint/style/noHeadElement: Next does not draw these pages. */}
        <head>
          <meta charSet="utf-8" />
          <meta content={PAGE_POLICY} httpEquiv="Content-Security-Policy" />
          <meta content="width=device-width, initial-scale=1" name="viewport" />
          <title>{`${visibleText(title)} · Proofboard`}</title>
          <link href={`${base}assets/site.css`} rel="stylesheet" />
          <link href={`${base}assets/icon.svg`} rel="icon" type="image/svg+xml" />
          <script src={`${base}assets/page.js`} />
        </head>
        <body className="flex min-h-dvh flex-col">
          <a
            className="sr-only rounded bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50"
            href="#main"
          >
            Skip to content
          </a>
          {copy ? <StaticCopyBanner {...copy} /> : null}
          <SiteHeader isCopy />
          <main className="mx-auto w-full max-w-7xl flex-1 px-4 pt-6" id="main" tabIndex={-1}>
            <NuqsAdapter>{content}</NuqsAdapter>
          </main>
          <SiteFooter isCopy note={copy ? null : UNCHECKED} version={version} />
        </body>
      </html>
    </PathContext>,
  )
  const linked = linkPages(markup, file, find, publicAddress(copy))
  const scripts = own === null ? '' : drawScripts(own, base)
  return `<!doctype html>${linked.replace('</body>', `${scripts}</body>`)}\n`
}

/** Escapes JSON, so that it cannot close its script element. */
function drawScripts({ script, data }: PageScript, base: string): string {
  const text = data?.replaceAll('<', '\\u003c')
  const json =
    text === undefined ? '' : `<script id="data" type="application/json">${text}</script>`
  return `${json}<script src="${base}assets/${script}.js" data-base="${base}"></script>`
}

/** The original's address, unless others cannot open it. */
function publicAddress(copy: SiteInput['copy']): string | null {
  if (copy === null || /^https?:\/\/(localhost|127\.|\[::1\])/.test(copy.original)) return null
  return copy.original.replace(/\/$/, '')
}

/** React escapes quotes in texts, so this matches only in tags. */
const LINK = /(<(?:a|form|img|link)\b[^>]*?) (href|src|action)="(\/[^"]*)"/g

/** Addresses that need a server. Their links are hidden; those of other pages become text. */
const NEEDS_SERVER = /^\/(api\/|plan|compare|history|admin|feed)/

/**
 * Makes the links of rendered markup relative. `find` returns the file of an address with its query or anchor. If it
 * returns null, the link leads to the original site; without one it becomes text, or is hidden if it would only act.
 */
export function linkPages(
  markup: string,
  file: string,
  find: (address: string) => string | null,
  original: string | null,
): string {
  const base = baseOf(file)
  return markup.replace(LINK, (_, tag: string, name: string, escaped: string) => {
    const address = unescapeMarkup(escaped)
    const found = find(address)
    if (found !== null) return `${tag} ${name}="${base}${escapeMarkup(found)}"`
    if (original !== null && name === 'href')
      return `${tag} href="${escapeMarkup(original + address)}"`
    return `${tag} data-${NEEDS_SERVER.test(address) ? 'needs-server' : 'no-page'}=""`
  })
}
