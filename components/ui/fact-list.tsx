import type { ReactNode } from 'react'

export type Fact = { name: string; value: ReactNode; title?: string }

/** Names and values in two columns, hairlines between. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid content-start self-start grid-cols-[minmax(7rem,max-content)_minmax(0,1fr)] border-line border-b">
      {facts.map(({ name, value, title }) => (
        <div
          className="col-span-2 grid grid-cols-subgrid gap-x-5 border-line border-t py-1.5"
          key={name}
        >
          <dt className="text-muted">{name}</dt>
          <dd className="untrusted" title={title}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
