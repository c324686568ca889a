import type { ReactNode } from 'react'

type SectionProps = { id: string; title: string; aside?: ReactNode; children: ReactNode }

/** A titled part of a page that can be linked to. */
export function Section({ id, title, aside, children }: SectionProps) {
  return (
    <section aria-labelledby={`${id}-title`} className="mt-8" id={id}>
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="font-semibold text-base" id={`${id}-title`}>
          {title}
        </h2>
        {aside ? <div className="text-muted">{aside}</div> : null}
      </div>
      {children}
    </section>
  )
}
