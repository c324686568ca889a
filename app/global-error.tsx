'use client'

/** The last resort, when even the frame of the pages failed. */
export default function GlobalError({ retry }: { error: Error; retry: () => void }) {
  return (
    <html lang="en">
      <body style={{ fontFamily: 'system-ui, sans-serif', margin: '3rem auto', maxWidth: '40rem' }}>
        <title>Proofboard could not start this page</title>
        <h1>This page could not be made</h1>
        <p>Nothing was changed and nothing was lost. The server’s log names the cause.</p>
        <button onClick={retry} type="button">
          Try again
        </button>
      </body>
    </html>
  )
}
