/** Grey lines where rows will stand, so that nothing jumps. */
export function LoadingLines({ lines, what }: { lines: number; what: string }) {
  return (
    <div aria-busy="true">
      <p className="mb-4 text-muted" role="status">
        Reading {what}…
      </p>
      {Array.from({ length: lines }, (_, index) => `line-${index}`).map((key) => (
        <div className="flex h-9 items-center border-line border-t" key={key}>
          <div className="h-2.5 w-full rounded bg-sunken" />
        </div>
      ))}
    </div>
  )
}
