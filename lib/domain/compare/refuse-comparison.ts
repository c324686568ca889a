import type { BoardRow } from '../board/board-row.ts'
import { countOf, listNames } from '../eligibility/list-names.ts'
import type {
  ComparisonInput,
  ComparisonRefusal,
  VersionDifference,
  VersionRows,
} from './comparison.ts'
import { diffVersions } from './diff-versions.ts'
import { FEWEST_ROWS, MOST_ROWS } from './limits.ts'
import { nameRows } from './name-rows.ts'

type Words = Pick<ComparisonRefusal, 'code' | 'reason' | 'remedy'> & {
  differences?: VersionDifference[]
}

/** Why these rows cannot be compared, with the sets of them that can; null = nothing stands against it. */
export function refuseComparison(input: ComparisonInput): ComparisonRefusal | null {
  const versions = listVersions(input)
  const words = refuseQuestion(input) ?? refuseVersions(versions, input)
  if (!words) return null
  const offers = versions.filter(({ rows }) => rows.length >= FEWEST_ROWS).map(toOffer)
  return { ok: false, differences: [], ...words, versions, offers }
}

function refuseQuestion({ rowIds, rows }: ComparisonInput): Words | null {
  const repeated = rowIds.filter((rowId, index) => rowIds.indexOf(rowId) !== index)
  if (repeated.length > 0) {
    const reason = `The same row was asked for twice: ${listNames(repeated)}.`
    return { code: 'repeated-row', reason, remedy: 'Ask for each row once.' }
  }
  if (rowIds.length > MOST_ROWS) {
    const reason = `At most ${MOST_ROWS} rows are compared at once, and ${rowIds.length} were asked for.`
    return {
      code: 'too-many-rows',
      reason,
      remedy: `Leave out ${countOf(rowIds.length - MOST_ROWS, 'row')}.`,
    }
  }
  const known = new Set(rows.map(({ rowId }) => rowId))
  const unknown = rowIds.filter((rowId) => !known.has(rowId))
  if (unknown.length > 0) {
    return {
      code: 'unknown-row',
      reason: `No board here has a row ${listNames(unknown.map(shortened))}.`,
      remedy:
        'The link may be old or cut off: a row’s id belongs to one suite version, subject and settings. Choose from the rows that are there.',
    }
  }
  if (rowIds.length >= FEWEST_ROWS) return null
  const reason = `A comparison needs two rows or more, and ${rowIds.length === 0 ? 'none' : 'one'} was asked for.`
  return { code: 'too-few-rows', reason, remedy: 'Choose another row.' }
}

function refuseVersions(
  versions: readonly VersionRows[],
  { suites }: ComparisonInput,
): Words | null {
  const [first, ...others] = versions
  if (!first || others.length === 0) return null
  const who = versions.map(sayVersion).join('; ')
  if (others.some(({ suiteId }) => suiteId !== first.suiteId)) {
    return {
      code: 'other-suite',
      reason: `The rows belong to different suites: ${who}.`,
      remedy: 'Compare rows of one suite.',
    }
  }
  const suiteOf = (digest: string) => suites.find((suite) => suite.digest === digest)
  const base = suiteOf(first.digest)
  const differences = others.flatMap(({ digest }) => {
    const other = suiteOf(digest)
    return base && other ? [diffVersions(base, other)] : []
  })
  const tasks = differences.flatMap(({ changed, onlyFrom, onlyTo }) => [
    ...changed,
    ...onlyFrom,
    ...onlyTo,
  ])
  const which = tasks.length > 0 ? ` These tasks differ: ${listNames(tasks, 12)}.` : ''
  return {
    code: 'other-version',
    reason: `The rows ran different versions of ${first.title}: ${who}.${which}`,
    remedy: 'Compare rows of one version, or run the subject again on the other version.',
    differences,
  }
}

function sayVersion({ suiteId, version, digest, rows }: VersionRows): string {
  const name = `${suiteId} ${version ?? ''}`.trim()
  return `${listNames(
    rows.map((row) => row.name),
    MOST_ROWS,
  )} ran ${name} (${digest.replace('sha256:', '').slice(0, 12)})`
}

/** The versions that the rows ran, in the order of the question; names tell rows of one version apart. */
function listVersions({ rowIds, rows, suites }: ComparisonInput): VersionRows[] {
  const versions = new Map<string, BoardRow[]>()
  for (const rowId of new Set(rowIds)) {
    const row = rows.find((candidate) => candidate.rowId === rowId)
    if (row) versions.set(row.suiteDigest, [...(versions.get(row.suiteDigest) ?? []), row])
  }
  return [...versions.values()].map((members) => describeVersion(members, suites))
}

function describeVersion(
  members: readonly BoardRow[],
  suites: ComparisonInput['suites'],
): VersionRows {
  const { suiteId = '', suiteDigest = '' } = members[0] ?? {}
  const suite = suites.find(({ digest }) => digest === suiteDigest)
  const { title, version } = suite ?? { title: suiteId, version: null }
  const named = [...nameRows(members)].map(([rowId, name]) => ({ rowId, name }))
  return { suiteId, title, version, digest: suiteDigest, rows: named }
}

function toOffer({ rows }: VersionRows): ComparisonRefusal['offers'][number] {
  const offered = rows.slice(0, MOST_ROWS)
  return { rowIds: offered.map(({ rowId }) => rowId), names: offered.map(({ name }) => name) }
}

/** What a stranger wrote into the address bar, at a length one can read. */
function shortened(rowId: string): string {
  return rowId.length > 40 ? `${rowId.slice(0, 40)}…` : rowId
}
