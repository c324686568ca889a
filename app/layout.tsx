import './globals.css'
import type { Metadata, Viewport } from 'next'
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
    <html lang="en" suppressHydrationWarning>
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
