import { shortDigest, visibleText } from '#components/ui/format.ts'
import { ShortDigest } from '#components/ui/layout.tsx'
import { Notice } from '#components/ui/notice.tsx'
import {
  type ComparisonRefusal,
  type ComparisonRefusalCode,
  comparePath,
  type VersionDifference,
  type VersionRows,
} from '#lib/domain/compare/index.ts'

const TITLES: Record<ComparisonRefusalCode, string> = {
  'too-few-rows': 'Select at least two entries',
  'too-many-rows': 'Too many entries',
  'repeated-row': 'Duplicate entry',
  'unknown-row': 'Entry not found',
  'other-suite': 'These entries belong to different suites',
  'other-version': 'These entries ran different tasks',
}

/** Replaces the reason if the rows of each version are listed below. */
const INSTEAD: Partial<Record<ComparisonRefusalCode, string>> = {
  'other-suite': 'Only entries of the same suite can be compared.',
  'other-version': 'Only entries of the same suite version can be compared.',
}

/** Says why rows cannot be compared, which tasks differ, and what can be compared instead. */
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
              <a className="link" href={comparePath(rowIds)}>
                Compare {names.map(visibleText).join(', ')}
              </a>
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
          <dt className="inline">Pass criteria: </dt>
          <dd className="inline text-ink">
            version {protocol.from} and version {protocol.to}
          </dd>
        </div>
      ) : null}
    </dl>
  )
}

/** Names versions; digests replace them if they are equal or unknown. */
function nameVersions(
  from: string,
  to: string,
  versions: readonly VersionRows[],
): [string, string] {
  const nameOf = (digest: string) => versions.find((version) => version.digest === digest)?.version
  const [before, after] = [nameOf(from), nameOf(to)]
  if (before && after && before !== after) return [before, after]
  return [shortDigest(from), shortDigest(to)]
}
