import './globals.css'
import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { FeedLinks } from '#components/ui/feed-links.tsx'
import { Providers } from '#components/ui/providers.tsx'
import { SiteFooter, SiteHeader, SiteScript } from '#components/ui/site.tsx'
import { version } from '../package.json'

export const metadata: Metadata = {
  title: { default: 'Proofboard', template: '%s · Proofboard' },
  description:
    'How often coding agents and browser libraries really finish the job: a leaderboard that shows the evidence behind every number.',
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#18191c' },
  ],
}

/** Layout of every page. It reads the nonce set by proxy.ts, so every page is rendered per request. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? ''
  return (
    <html className={`${sans.variable} ${mono.variable}`} lang="en" suppressHydrationWarning>
      <head>
        <SiteScript nonce={nonce} />
        <FeedLinks />
      </head>
      <body className="flex min-h-dvh flex-col">
        <Providers>
          <a
            className="sr-only rounded bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50"
            href="#main"
          >
            Skip to content
          </a>
          <SiteHeader />
          <main className="mx-auto w-full max-w-7xl flex-1 px-4 pt-6" id="main" tabIndex={-1}>
            {children}
          </main>
          <SiteFooter version={version} />
        </Providers>
      </body>
    </html>
  )
}

// Subsets of the fonts; other letters use system fonts. `optional`: a font that is not loaded by the first paint is
// used from the next page on, so text never moves.

/** Preloaded with the page. */
const sans = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  display: 'optional',
  adjustFontFallback: 'Arial',
  variable: '--font-inter',
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD',
    },
  ],
})

/** Only pages with code load it, in one weight, which halves its size. */
const mono = localFont({
  src: '../node_modules/@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal.woff2',
  weight: '400',
  display: 'optional',
  preload: false,
  adjustFontFallback: false,
  variable: '--font-jetbrains-mono',
  declarations: [
    {
      prop: 'unicode-range',
      value:
        'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD',
    },
  ],
})
