import type { Metadata } from 'next'
import { Notice } from '#components/ui/notice.tsx'

export const metadata: Metadata = { title: 'Not found' }

/** Shown if data disappears after proxy.ts has found it. Next renders it with every page, so it reads nothing. */
export default function NotFound() {
  return (
    <Notice heading="h1" title="Page not found">
      <p>
        This server has nothing at this address.{' '}
        <a className="link" href="/">
          Open the leaderboard
        </a>
        .
      </p>
    </Notice>
  )
}
