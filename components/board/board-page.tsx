import type { SuiteSummary, SuiteVersion } from '#lib/domain/api/index.ts'
import { type Board, formatRowCounts } from '#lib/domain/board/index.ts'
import { countOf, pluralForm } from '#lib/domain/text/index.ts'
import { visibleText } from '../ui/format.ts'
import { CommandLines, ShortDigest } from '../ui/layout.tsx'
import { Notice } from '../ui/notice.tsx'
import { controlCommand } from './next-steps.tsx'

export type ListedSuite = Pick<SuiteSummary, 'suiteId' | 'title' | 'tasks' | 'rows' | 'controls'>

type SuiteTabsProps = {
  suites: readonly ListedSuite[]
  current: string | null
  /** The page that links lead to. */
  path?: string
}

/**
 * One link per suite, to the same page; nothing if there is only one. On a phone they scroll in one line with the
 * current suite first, so that the first screen shows who wins.
 */
export function SuiteTabs({ suites, current, path = '/' }: SuiteTabsProps) {
  const [first] = suites
  if (!first || (suites.length < 2 && first.suiteId === current)) return null
  return (
    <nav
      aria-label="Suite"
      className="mb-5 flex gap-1 overflow-x-auto border-line border-b sm:flex-wrap"
    >
      {suites.map(({ suiteId, title, tasks, rows, controls }) => (
        <a
          aria-current={suiteId === current ? 'true' : undefined}
          className="not-aria-[current=true]:print:hidden inline-flex h-10 shrink-0 items-center gap-1.5 whitespace-nowrap border-transparent border-b-2 px-3 text-base text-muted hover:text-ink aria-[current=true]:border-accent aria-[current=true]:font-semibold aria-[current=true]:text-ink max-sm:aria-[current=true]:order-first"
          href={`${path}?suite=${encodeURIComponent(suiteId)}`}
          key={suiteId}
          title={`${countOf(tasks, 'task')}, ${formatRowCounts({ rows, controls })}`}
        >
          <span className="max-w-56 truncate">{title}</span>
          <span className="font-normal text-muted text-xs">{rows - controls}</span>
        </a>
      ))}
    </nav>
  )
}

/** Shown on a board with only controls, whose results are in the line of instrument checks. */
export function OnlyControls({ suiteId, count }: { suiteId: string; count: number }) {
  return (
    <p className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-1">
      <span>
        Only controls have run on this suite. They check the benchmark itself and are never ranked.
      </span>
      <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}&kind=control`}>
        Show {countOf(count, 'control')}
      </a>
    </p>
  )
}

/** Links from an empty board to earlier versions of the suite that have entries, newest first. */
export function EarlierVersions({ suiteId, versions }: EarlierVersionsProps) {
  const [newest] = versions
  if (!newest) return null
  const rows = versions.reduce((sum, version) => sum + version.rows, 0)
  const controls = versions.reduce((sum, version) => sum + version.controls, 0)
  return (
    <p className="mb-4 border-line-strong border-l-2 pl-3">
      The suite has a new version.{' '}
      <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}&version=${newest.digest}`}>
        {formatRowCounts({ rows, controls })} on{' '}
        {pluralForm(versions.length, 'an earlier version', 'earlier versions')}
      </a>
    </p>
  )
}

type EarlierVersionsProps = { suiteId: string; versions: readonly SuiteVersion[] }

/** Empty state: how to get the first results. */
export function EmptyBoard({ suiteId }: { suiteId: string | null }) {
  if (suiteId === null) {
    return (
      <Notice title="No suite is installed">
        <p>
          Suites are loaded from the exercises folder when the server starts. To import one, run:
        </p>
        <CommandLines
          lines={['npx proofboard suite import exercism --from <dir or git url> --ref <sha>']}
        />
      </Notice>
    )
  }
  return (
    <Notice title="No results yet">
      <p>
        Entries appear when the first episode is finished. To run a control, which needs no API key:
      </p>
      <CommandLines lines={[controlCommand(suiteId)]} />
    </Notice>
  )
}

/** Reports that a linked entry is not on this board any more. */
export function GoneEntries({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null
  return (
    <p className="untrusted mb-4 border-line-strong border-l-2 pl-3" role="status">
      Not on this board: {ids.map(visibleText).join(', ')}. The link may be outdated or incomplete:
      entry ids change with the suite version and settings.
    </p>
  )
}

/** Shown above the board of an earlier version. */
export function VersionNotice({ board: { suite } }: { board: Board }) {
  return (
    <p className="mb-4 border-line-strong border-l-2 pl-3">
      Version <ShortDigest digest={suite.digest} /> of the suite. Entries are ranked only with
      entries of the same version.{' '}
      <a className="link" href={`/?suite=${encodeURIComponent(suite.suiteId)}`}>
        Current version
      </a>
    </p>
  )
}

/** Shown if the suite or the version does not exist. */
export function NoBoard({ suiteId }: { suiteId: string | null }) {
  if (suiteId === null) return <EmptyBoard suiteId={null} />
  return (
    <Notice title={`This server does not have this version of “${visibleText(suiteId)}”`}>
      <p>
        The link may be incomplete.{' '}
        <a className="link" href={`/?suite=${encodeURIComponent(suiteId)}`}>
          Open the current version
        </a>
        .
      </p>
    </Notice>
  )
}
