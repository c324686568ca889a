type StaticCopyBannerProps = {
  /** The moment that the copy shows. */
  at: string
  original: string
}

/** Shown on every page of a static copy: its date, the original's address, and how to check it. */
export function StaticCopyBanner({ at, original }: StaticCopyBannerProps) {
  return (
    <aside aria-label="Static copy" className="border-line border-b bg-sunken">
      <p className="mx-auto max-w-7xl px-4 py-1.5 text-muted text-xs">
        Static copy of <time dateTime={at}>{at.slice(0, 16).replace('T', ' ')} UTC</time>: nothing
        can be launched, uploaded or signed in to here.{' '}
        <a className="link" href="/check">
          Check this copy
        </a>
        {isOfThisMachine(original) ? null : (
          <>
            {' · '}
            <a className="link" href={original} rel="external">
              Original
            </a>
          </>
        )}
      </p>
    </aside>
  )
}

/** An address that others cannot open is not linked as the original. */
function isOfThisMachine(address: string): boolean {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(address)
}
