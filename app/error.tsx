'use client'

import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/notice.tsx'

type ErrorPageProps = { error: Error & { digest?: string }; retry: () => void }

/** Shown when rendering a page failed. The message stays on the server; the digest identifies it in the log. */
export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <Notice heading="h1" title="This page could not be loaded">
      <title>Error · Proofboard</title>
      <p>
        An error occurred while reading the data. No data was changed. Try again; if the error
        persists, check the server log{error.digest ? ` for error ${error.digest}` : ''}.
      </p>
      <Button onClick={retry}>Try again</Button>
    </Notice>
  )
}
