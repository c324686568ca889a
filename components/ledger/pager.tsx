import Link from 'next/link'

type PagerProps = { page: number; pages: number; hrefOf: (page: number) => string }

/** Newer and older pages; nothing where there is only one. */
export function Pager({ page, pages, hrefOf }: PagerProps) {
  if (pages < 2) return null
  return (
    <nav aria-label="Pages" className="mt-3 flex items-center gap-4">
      {page > 1 ? (
        <Link className="link" href={hrefOf(page - 1)} prefetch={false} rel="prev">
          Newer
        </Link>
      ) : null}
      <span className="text-muted">
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <Link className="link" href={hrefOf(page + 1)} prefetch={false} rel="next">
          Older
        </Link>
      ) : null}
    </nav>
  )
}
