'use client'

/** Shown when even the layout could not be rendered. */
export default function GlobalError({ retry }: { error: Error; retry: () => void }) {
  return (
    <html lang="en">
      <body style={{ fontFamily: 'system-ui, sans-serif', margin: '3rem auto', maxWidth: '40rem' }}>
        <title>Error · Proofboard</title>
        <h1>This page could not be loaded</h1>
        <p>An error occurred. No data was changed. Check the server log for the cause.</p>
        <button onClick={retry} type="button">
          Try again
        </button>
      </body>
    </html>
  )
}
