import { Button } from './button.tsx'

/** In place of a part whose script could not be loaded: without a connection, or from a server with a new version. */
export function LoadFailed({ what }: { what: string }) {
  return (
    <p className="flex flex-wrap items-center gap-3 py-4 text-muted">
      The {what} could not be loaded.
      <Button onClick={() => window.location.reload()}>Reload the page</Button>
    </p>
  )
}
