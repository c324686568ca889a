import Link from 'next/link'
import { visibleText } from '#components/format/visible-text.ts'
import { Notice } from '#components/ui/notice.tsx'
import { ShortDigest } from '#components/ui/short-digest.tsx'
import type {
  ComparisonRefusal,
  ComparisonRefusalCode,
  VersionDifference,
  VersionRows,
} from '#lib/domain/compare/comparison.ts'
import { comparePath } from '#lib/domain/compare/parse-row-ids.ts'

const TITLES: Record<ComparisonRefusalCode, string> = {
  'too-few-rows': 'One row is not enough',
  'too-many-rows': 'Too many rows at once',
  'repeated-row': 'A row is named twice',
  'unknown-row': 'A row is not there',
  'other-suite': 'These rows belong to different suites',
  'other-version': 'These rows did not run the same tasks',
}

/** Why rows are not compared, which tasks stand in the way, and what can be compared instead. */
export function ComparisonRefused({ refusal }: { refusal: ComparisonRefusal }) {
  const { code, reason, remedy, versions, differences, offers } = refusal
  const isVersions = differences.length > 0 || code === 'other-suite'
  return (
    <Notice title={TITLES[code]}>
      <p className="untrusted">
        {visibleText(
          isVersions && code === 'other-version'
            ? 'A comparison needs the same tasks on both sides.'
            : reason,
        )}{' '}
        {remedy}
      </p>
      {isVersions ? (
        <ul className="space-y-1 text-sm">
          {versions.map((version) => (
            <VersionLine key={version.digest} version={version} />
          ))}
        </ul>
      ) : null}
      {differences.map((difference) => (
        <DifferenceLines difference={difference} key={difference.to} versions={versions} />
      ))}
      {offers.length > 0 ? (
        <ul className="space-y-1 text-ink">
          {offers.map(({ rowIds, names }) => (
            <li key={rowIds.join()}>
              <Link className="link" href={comparePath(rowIds)} prefetch={false}>
                Compare {names.map(visibleText).join(', ')}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </Notice>
  )
}

function VersionLine({ version: { title, version, digest, rows } }: { version: VersionRows }) {
  return (
    <li>
      <span className="text-ink">{rows.map(({ name }) => visibleText(name)).join(', ')}</span> ran{' '}
      {title} {version ?? ''} <ShortDigest digest={digest} />
    </li>
  )
}

type DifferenceLinesProps = { difference: VersionDifference; versions: readonly VersionRows[] }

function DifferenceLines({ difference, versions }: DifferenceLinesProps) {
  const { from, to, changed, onlyFrom, onlyTo, protocol } = difference
  const nameOf = (digest: string) => versions.find((version) => version.digest === digest)?.version
  const [before, after] = [nameOf(from) ?? 'the first', nameOf(to) ?? 'the other']
  const lines = [
    { what: `Changed between ${before} and ${after}`, tasks: changed },
    { what: `Only in ${before}`, tasks: onlyFrom },
    { what: `Only in ${after}`, tasks: onlyTo },
  ].filter(({ tasks }) => tasks.length > 0)
  return (
    <dl className="space-y-1 text-sm">
      {lines.map(({ what, tasks }) => (
        <div key={what}>
          <dt className="inline">{what}: </dt>
          <dd className="inline text-ink">{tasks.join(', ')}</dd>
        </div>
      ))}
      {protocol ? (
        <div>
          <dt className="inline">Rules of a pass: </dt>
          <dd className="inline text-ink">
            version {protocol.from} and version {protocol.to}
          </dd>
        </div>
      ) : null}
    </dl>
  )
}
