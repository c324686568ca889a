import { PageHeading } from '../ui/layout.tsx'

/** The page that verifies a copy with browser/check.ts. */
export function CheckPage({ at }: { at: string }) {
  return (
    <>
      <PageHeading title={`Check this static copy of ${at.slice(0, 10)}`}>
        Reads every file of the copy and compares it with its manifest, the ledger with itself, and
        the sealed results with the ledger. It works in your browser and sends nothing.
      </PageHeading>
      <p className="mb-4 border-line-strong border-l-2 pl-3" id="status" role="status">
        Checking…
      </p>
      <ul className="list-disc space-y-1 pl-5" id="details" />
      <noscript>
        <p>
          The check needs scripts. On the command line:{' '}
          <code>npx proofboard server board check-static &lt;folder&gt;</code>
        </p>
      </noscript>
    </>
  )
}
