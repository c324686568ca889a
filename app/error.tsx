'use client'

import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/layout.tsx'

type ErrorPageProps = { error: Error & { digest?: string }; retry: () => void }

/** When a page could not be made. The message stays on the server; the digest finds it in the log. */
export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <Notice heading="h1" title="This page could not be made">
      <p>
        Reading failed; nothing was changed and nothing was lost. Try again; if it fails again, the
        server’s log names the cause{error.digest ? ` under ${error.digest}` : ''}.
      </p>
      <Button onClick={retry}>Try again</Button>
    </Notice>
  )
}
