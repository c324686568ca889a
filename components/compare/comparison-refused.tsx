import Link from 'next/link'
import { visibleText } from '#components/ui/format.ts'
import { Notice, ShortDigest } from '#components/ui/layout.tsx'
import type {
  ComparisonRefusal,
  ComparisonRefusalCode,
  VersionDifference,
  VersionRows,
} from '#lib/domain/compare/comparison.ts'
import { comparePath } from '#lib/domain/compare/comparison.ts'

const TITLES: Record<ComparisonRefusalCode, string> = {
  'too-few-rows': 'One row is not enough',
  'too-many-rows': 'Too many rows at once',
  'repeated-row': 'A row is named twice',
  'unknown-row': 'A row is not there',
  'other-suite': 'These rows belong to different suites',
  'other-version': 'These rows did not run the same tasks',
}

/** Where the rows of each version are listed, the sentence that would list them again is not needed. */
const INSTEAD: Partial<Record<ComparisonRefusalCode, string>> = {
  'other-suite': 'A comparison needs one suite.',
  'other-version': 'A comparison needs the same tasks on both sides.',
}

/** Why rows are not compared, which tasks stand in the way, and what can be compared instead. */
export function ComparisonRefused({ refusal }: { refusal: ComparisonRefusal }) {
  const { code, reason, remedy, versions, differences, offers } = refusal
  const instead = INSTEAD[code]
  return (
    <Notice title={TITLES[code]}>
      <p className="untrusted">
        {instead ?? visibleText(reason)} {remedy}
      </p>
      {instead ? (
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
  const [before, after] = nameVersions(from, to, versions)
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

/** By their version, or by their digest where both carry the same one. */
function nameVersions(
  from: string,
  to: string,
  versions: readonly VersionRows[],
): [string, string] {
  const nameOf = (digest: string) => versions.find((version) => version.digest === digest)?.version
  const [before, after] = [nameOf(from), nameOf(to)]
  if (before && after && before !== after) return [before, after]
  const short = (digest: string) => digest.replace('sha256:', '').slice(0, 12)
  return [short(from), short(to)]
}
