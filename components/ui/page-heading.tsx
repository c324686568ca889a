import type { ReactNode } from 'react'

type PageHeadingProps = { title: ReactNode; trail?: ReactNode; children?: ReactNode }

/** Where one is: the trail above, the page's name, one line below. */
export function PageHeading({ title, trail, children }: PageHeadingProps) {
  return (
    <header className="mb-5">
      {trail ? (
        <nav aria-label="Breadcrumb" className="mb-1 text-muted">
          {trail}
        </nav>
      ) : null}
      <h1 className="untrusted font-semibold text-xl tracking-tight">{title}</h1>
      {children ? <div className="mt-1 max-w-3xl text-base text-muted">{children}</div> : null}
    </header>
  )
}
