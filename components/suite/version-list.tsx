import Link from 'next/link'
import { plural } from '#components/format/number.ts'
import { ShortDigest } from '#components/ui/short-digest.tsx'
import type { SuiteVersion } from '#lib/domain/views/suite-version.ts'

type VersionListProps = { suiteId: string; versions: readonly SuiteVersion[] }

/** The versions of a suite that have a board; rows of different versions are never ranked together. */
export function VersionList({ suiteId, versions }: VersionListProps) {
  return (
    <ul className="border-line border-b">
      {versions.map(({ digest, tasks, rows, isCurrent }) => (
        <li
          className="flex min-h-9 flex-wrap items-center gap-x-5 gap-y-1 border-line border-t py-1"
          key={digest}
        >
          <ShortDigest digest={digest} />
          <span className="w-16">{isCurrent ? 'current' : 'earlier'}</span>
          <span className="text-muted">{plural(tasks, 'task')}</span>
          <Link
            className="link"
            href={`/?suite=${encodeURIComponent(suiteId)}${isCurrent ? '' : `&version=${digest}`}`}
            prefetch={false}
          >
            {plural(rows, 'row')} on its board
          </Link>
        </li>
      ))}
    </ul>
  )
}
