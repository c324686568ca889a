/** Message while the server does not respond. */
export function ServerLost() {
  return (
    <p className="fixed inset-x-4 bottom-3 z-20 mx-auto w-fit rounded border border-warn bg-warn-soft px-3 py-1.5 text-warn">
      The server does not respond. This page shows the last state, and continues when it is back.
    </p>
  )
}
