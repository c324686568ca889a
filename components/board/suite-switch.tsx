import Link from 'next/link'

type SuiteSwitchProps = {
  suites: readonly { suiteId: string; title: string; tasks: number; rows: number }[]
  current: string | null
  /** The page that the suite is chosen for. */
  path?: string
}

/** One link a suite, to the same page; nothing to switch when there is only one. */
export function SuiteSwitch({ suites, current, path = '/' }: SuiteSwitchProps) {
  if (suites.length < 2 && suites[0]?.suiteId === current) return null
  return (
    <nav aria-label="Suite" className="mb-4 flex flex-wrap gap-1">
      {suites.map(({ suiteId, title, tasks, rows }) => (
        <Link
          aria-current={suiteId === current ? 'true' : undefined}
          className="inline-flex h-8 items-center gap-1.5 rounded border border-line bg-surface px-2.5 hover:border-line-strong aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft"
          href={`${path}?suite=${encodeURIComponent(suiteId)}`}
          key={suiteId}
          prefetch={false}
          title={`${tasks} tasks, ${rows} rows`}
        >
          {title}
          <span className="text-muted text-xs">{rows}</span>
        </Link>
      ))}
    </nav>
  )
}
