import Link from 'next/link'
import { UNKNOWN } from '#components/format/number.ts'

/** Version and licence: what a reader needs to cite a number. */
export function SiteFooter({ version }: { version: string | null }) {
  return (
    <footer className="mt-16 border-line border-t">
      <div className="mx-auto flex max-w-7xl flex-wrap justify-between gap-x-6 gap-y-1 px-4 py-4 text-muted text-xs">
        <p>
          Proofboard {version ?? UNKNOWN}. A number is published only when its evidence supports it.
        </p>
        <nav aria-label="More" className="flex flex-wrap gap-x-4 gap-y-1">
          <Link className="link" href="/methodology">
            Methodology
          </Link>
          <Link className="link" href="/audit" prefetch={false}>
            Audit
          </Link>
          <Link className="link" href="/ledger">
            Ledger
          </Link>
          <Link className="link" href="/api-reference" prefetch={false}>
            API
          </Link>
          <Link className="link" href="/admin" prefetch={false}>
            Administration
          </Link>
          <span className="max-sm:hidden">
            Press <kbd>?</kbd> for the keyboard
          </span>
        </nav>
      </div>
    </footer>
  )
}
