import type { BoardRow } from '../board/index.ts'
import { groupBy } from '../record/index.ts'
import { describeSetting, SETTING_LIST } from '../settings/index.ts'
import { countOf, listNames, pluralForm } from '../text/index.ts'
import { isClaim, MAX_COMPARED_ROWS, MIN_COMPARED_ROWS } from './compare-path.ts'
import type {
  ComparedSuite,
  ComparisonEligibility,
  ComparisonInput,
  ComparisonRefusal,
  VersionDifference,
  VersionRows,
} from './comparison.ts'
import { formatArmParts } from './format-arms.ts'
import { isStressed, nameRows } from './format-comparison.ts'

type RefusalText = Pick<ComparisonRefusal, 'code' | 'reason' | 'remedy'> & {
  differences?: VersionDifference[]
}

/** Returns why these rows cannot be compared, with subsets that can; null = they can. */
export function refuseComparison(input: ComparisonInput): ComparisonRefusal | null {
  const versions = listVersions(input)
  const refusal = refuseRequest(input) ?? refuseVersions(versions, input)
  if (!refusal) return null
  const offers = versions.filter(({ rows }) => rows.length >= MIN_COMPARED_ROWS).map(toOffer)
  return { ok: false, differences: [], ...refusal, versions, offers }
}

function refuseRequest({ rowIds, rows }: ComparisonInput): RefusalText | null {
  const repeated = rowIds.filter((rowId, index) => rowIds.indexOf(rowId) !== index)
  if (repeated.length > 0) {
    const names = nameRows(rows)
    const repeatedNames = repeated.map((rowId) => names.get(rowId) ?? rowId)
    const reason = `The same entry was requested twice: ${listNames(repeatedNames)}.`
    return { code: 'repeated-row', reason, remedy: 'List each entry once.' }
  }
  if (rowIds.length > MAX_COMPARED_ROWS) {
    const extra = rowIds.length - MAX_COMPARED_ROWS
    const reason = `At most ${MAX_COMPARED_ROWS} entries can be compared, but ${rowIds.length} were requested.`
    return { code: 'too-many-rows', reason, remedy: `Remove ${countOf(extra, 'entry')}.` }
  }
  const known = new Set(rows.map(({ rowId }) => rowId))
  const unknown = rowIds.filter((rowId) => !known.has(rowId))
  if (unknown.length > 0) {
    return {
      code: 'unknown-row',
      reason: `This server has no entry ${listNames(unknown.map(shorten))}.`,
      remedy:
        'The link may be outdated or incomplete: entry ids change with the suite version and settings. Select other entries.',
    }
  }
  if (rowIds.length >= MIN_COMPARED_ROWS) return null
  const reason = `A comparison needs at least two entries, but ${rowIds.length === 0 ? 'none' : 'one'} was requested.`
  return { code: 'too-few-rows', reason, remedy: 'Select another entry.' }
}

function refuseVersions(
  versions: readonly VersionRows[],
  { suites }: ComparisonInput,
): RefusalText | null {
  const [first, ...others] = versions
  if (!first || others.length === 0) return null
  const perVersion = versions.map(formatVersionRows).join('; ')
  if (others.some(({ suiteId }) => suiteId !== first.suiteId)) {
    return {
      code: 'other-suite',
      reason: `The entries belong to different suites: ${perVersion}.`,
      remedy: 'Compare entries of one suite.',
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
  const taskNames = tasks.length > 0 ? ` These tasks differ: ${listNames(tasks, 12)}.` : ''
  return {
    code: 'other-version',
    reason: `The entries ran different versions of ${first.title}: ${perVersion}.${taskNames}`,
    remedy: 'Compare entries of one version, or run the agent or library on the other version.',
    differences,
  }
}

function formatVersionRows({ suiteId, version, digest, rows }: VersionRows): string {
  const name = `${suiteId} ${version ?? ''}`.trim()
  return `${listNames(
    rows.map((row) => row.name),
    MAX_COMPARED_ROWS,
  )} ran ${name} (${digest.replace('sha256:', '').slice(0, 12)})`
}

/** The suite versions of the rows in the requested order, with unique names per version. */
function listVersions({ rowIds, rows, suites, names }: ComparisonInput): VersionRows[] {
  const asked = [...new Set(rowIds)].flatMap((id) => rows.find(({ rowId }) => rowId === id) ?? [])
  const versions = groupBy(asked, ({ suiteDigest }) => suiteDigest)
  return [...versions.values()].map((members) => describeVersion(members, suites, names))
}

function describeVersion(
  members: readonly BoardRow[],
  suites: ComparisonInput['suites'],
  names: ComparisonInput['names'] = nameRows(members),
): VersionRows {
  const { suiteId = '', suiteDigest = '' } = members[0] ?? {}
  const suite = suites.find(({ digest }) => digest === suiteDigest)
  const { title, version } = suite ?? { title: suiteId, version: null }
  const named = members.map(({ rowId }) => ({ rowId, name: names.get(rowId) ?? rowId }))
  return { suiteId, title, version, digest: suiteDigest, rows: named }
}

function toOffer({ rows }: VersionRows): ComparisonRefusal['offers'][number] {
  const offered = rows.slice(0, MAX_COMPARED_ROWS)
  return { rowIds: offered.map(({ rowId }) => rowId), names: offered.map(({ name }) => name) }
}

/** Shortens an id from the URL. */
function shorten(rowId: string): string {
  return rowId.length > 40 ? `${rowId.slice(0, 40)}…` : rowId
}

/** Tasks that differ between two versions: changed under the same name, or only in one of them. */
function diffVersions(from: ComparedSuite, to: ComparedSuite): VersionDifference {
  const before = new Map(from.tasks.map((task) => [task.taskId, task.digest]))
  const after = new Map(to.tasks.map((task) => [task.taskId, task.digest]))
  const [first, second] = [[...before.keys()], [...after.keys()]]
  const isOtherProtocol = from.protocolVersion !== to.protocolVersion
  return {
    from: from.digest,
    to: to.digest,
    changed: first.filter((id) => after.has(id) && after.get(id) !== before.get(id)).sort(),
    onlyFrom: first.filter((id) => !after.has(id)).sort(),
    onlyTo: second.filter((id) => !before.has(id)).sort(),
    protocol: isOtherProtocol ? { from: from.protocolVersion, to: to.protocolVersion } : null,
  }
}

type NamedRow = { name: string; row: BoardRow }

const DRIVEN_LABELS = { llm: 'model-driven', scripted: 'scripted' } as const

/** A group of more entries is named `the others`. */
const MAX_NAMED = 2

/**
 * Decides whether verdicts between these rows are safe to cite: every row is ranked, all with or all without faults,
 * all driven the same way, all with the same settings, except for the content of arms of the same runs. Otherwise
 * returns the reasons.
 */
export function decideComparisonEligibility(rows: readonly NamedRow[]): ComparisonEligibility {
  const reasons = [
    ...rows.flatMap(describeUnranked),
    ...describeDifferent(rows, ({ row }) =>
      isStressed(row) ? 'measured with injected faults' : 'measured without faults',
    ),
    ...describeDifferent(rows, ({ row }) => DRIVEN_LABELS[row.driven]),
    ...describeOtherSettings(rows),
  ]
  if (reasons.length > 0) return { kind: 'diagnostic', reasons }
  const [first] = rows
  const how = first && isStressed(first.row) ? 'with injected faults' : 'without faults'
  const measured = `All entries are ranked, measured ${how}, ${DRIVEN_LABELS[first?.row.driven ?? 'llm']}`
  const arms = describeArms(rows) + describeOrigins(rows)
  if (areArmsOfOneRun(rows))
    return { kind: 'claim', text: `${measured}, and are arms of the same runs.${arms}` }
  return { kind: 'claim', text: `${measured}, and have the same settings.${arms}` }
}

/** The origin of each row, unless all of them ran here. */
function describeOrigins(rows: readonly NamedRow[]): string {
  if (rows.every(({ row }) => row.provenance === 'local')) return ''
  const groups = groupBy(rows, ({ row }) => ORIGINS[row.provenance])
  const parts = listGroups(groups).map(
    ([how, who, count]) => `${who} ${pluralForm(count, 'was', 'were')} ${how}`,
  )
  return ` Origin: ${parts.join('; ')}.`
}

const ORIGINS: Record<BoardRow['provenance'], string> = {
  manual: 'uploaded by hand',
  token: 'sent with an upload token',
  oidc: 'sent by a verified workflow',
  local: 'measured on this server',
}

/** The content of each arm: ` Their arms: lean puts in max steps 1; baseline puts in nothing.` */
function describeArms(rows: readonly NamedRow[]): string {
  if (rows.every(({ row }) => row.subject.arm === undefined)) return ''
  const parts = rows.map(({ name, row }) => `${name} puts in ${formatArmParts(row)}`)
  return ` Their arms: ${parts.join('; ')}.`
}

function describeUnranked({ name, row: { label, refusals } }: NamedRow): string[] {
  if (isClaim(label)) return []
  const [first, ...more] = refusals
  const why = first ? `: ${first.reason}` : '.'
  return [
    `${name} is not ranked${why}${more.length > 0 ? ` (and ${countOf(more.length, 'more reason')})` : ''}`,
  ]
}

/** `a is scripted, b and c are model-driven.` if the rows differ. */
function describeDifferent(rows: readonly NamedRow[], kindOf: (row: NamedRow) => string): string[] {
  const groups = groupBy(rows, kindOf)
  if (groups.size < 2) return []
  const parts = listGroups(groups).map(
    ([kind, who, count]) => `${who} ${pluralForm(count, 'is', 'are')} ${kind}`,
  )
  return [`${parts.join(', ')}.`]
}

/** True if the rows are arms of the same runs, which differ only in the arms' content, settings included. */
function areArmsOfOneRun(rows: readonly NamedRow[]): boolean {
  const runs = new Set(rows.map(({ row }) => [...row.runIds].sort().join()))
  return runs.size === 1 && rows.every(({ row }) => row.subject.arm !== undefined)
}

function describeOtherSettings(rows: readonly NamedRow[]): string[] {
  if (areArmsOfOneRun(rows)) return []
  const parts = SETTING_LIST.flatMap(({ key, name }) => {
    const groups = groupBy(rows, ({ row }) => describeSetting(key, row.settings))
    if (groups.size < 2) return []
    const values = listGroups(groups).map(([value, who]) => `${who} ${value}`)
    return [`${name} (${values.join('; ')})`]
  })
  return parts.length === 0 ? [] : [`Settings differ: ${parts.join(', ')}.`]
}

/** Lists each value with its rows; with many rows the largest group is `the others` and comes last. */
function listGroups(groups: ReadonlyMap<string, NamedRow[]>): [string, string, number][] {
  const sorted = [...groups].sort(([, a], [, b]) => a.length - b.length)
  const largest = sorted.at(-1)
  return sorted.map(([value, rows]) => {
    const isRest = rows === largest?.[1] && rows.length > MAX_NAMED
    const names = rows.map(({ name }) => name)
    return [value, isRest ? 'the others' : listNames(names, names.length), names.length]
  })
}
