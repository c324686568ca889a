import { createLoader, createSerializer, parseAsString } from 'nuqs/server'
import type { SuiteTitles } from '../suite/suite-title.ts'
import { visibleText } from '../ui/format.ts'

const runListParsers = {
  /** Null = all suites. */
  suite: parseAsString,
  /** Start of the page; null = the newest run. */
  cursor: parseAsString,
}

export const loadRunList = createLoader(runListParsers)
const serializeList = createSerializer(runListParsers)

const runListAddress = (list: Parameters<typeof serializeList>[1]): string =>
  serializeList('/runs', list)

type RunFilterProps = { suite: string | null; titles: SuiteTitles }

/** Filters runs by suite; nothing on a server with only one suite. */
export function RunFilter({ suite, titles }: RunFilterProps) {
  if (titles.size < 2 && suite === null) return null
  const byTitle = [...titles].sort(([, a], [, b]) => a.localeCompare(b, 'en'))
  const choices = [[null, 'All suites'] as const, ...byTitle]
  return (
    <nav aria-label="Suite" className="on-screen mb-4 flex flex-wrap gap-1">
      {choices.map(([id, title]) => (
        <a
          aria-current={id === suite ? 'true' : undefined}
          className="untrusted inline-flex min-h-8 items-center rounded border border-line bg-surface px-2.5 hover:border-line-strong aria-[current=true]:border-accent aria-[current=true]:bg-accent-soft"
          href={runListAddress({ suite: id })}
          key={id ?? ''}
        >
          {visibleText(title)}
        </a>
      ))}
    </nav>
  )
}

type RunPagerProps = { suite: string | null; cursor: string | null; next: string | null }

/** Links to older runs, and back to the newest. */
export function RunPager({ suite, cursor, next }: RunPagerProps) {
  if (cursor === null && next === null) return null
  return (
    <nav aria-label="Pages" className="mt-3 flex items-center gap-4">
      {cursor === null ? null : (
        <a className="link" href={runListAddress({ suite })}>
          Newest
        </a>
      )}
      {next === null ? null : (
        <a className="link" href={runListAddress({ suite, cursor: next })} rel="next">
          Older
        </a>
      )}
    </nav>
  )
}
