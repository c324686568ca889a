import type { BoardRow } from '../board/board-row.ts'
import { listNames } from '../eligibility/list-names.ts'
import type { Settings } from '../plan.ts'
import type { Standing } from './comparison.ts'
import { describeSetting, SETTING_NAMES } from './describe-setting.ts'
import { isClaim } from './is-claim.ts'
import { isStressed } from './name-rows.ts'

type NamedRow = { name: string; row: BoardRow }

const DRIVEN = { llm: 'driven by a model', scripted: 'scripted' } as const

/** A larger group of rows is not spelled out where the others are. */
const MOST_NAMED = 2

/**
 * Whether verdicts between these rows may be quoted: every row a claim, all plain or all under faults, all driven the
 * same way, all under the same settings. Else every reason against it, in words.
 */
export function judgeStanding(rows: readonly NamedRow[]): Standing {
  const reasons = [
    ...rows.flatMap(sayWhyNoClaim),
    ...sayDifferent(rows, ({ row }) => (isStressed(row) ? 'measured under faults' : 'plain')),
    ...sayDifferent(rows, ({ row }) => DRIVEN[row.driven]),
    ...sayOtherSettings(rows),
  ]
  if (reasons.length > 0) return { kind: 'diagnostic', reasons }
  const [first] = rows
  const how = first && isStressed(first.row) ? 'under faults' : 'without faults'
  const text = `Every row is a claim, measured ${how}, ${DRIVEN[first?.row.driven ?? 'llm']}, under the same settings.`
  return { kind: 'claim', text }
}

function sayWhyNoClaim({ name, row: { label, refusals } }: NamedRow): string[] {
  if (isClaim(label)) return []
  const [first, ...more] = refusals
  const why = first ? `: ${first.reason}` : '.'
  return [`${name} is ${label}${why}${more.length > 0 ? ` (and ${more.length} more)` : ''}`]
}

/** `a is scripted, b and c driven by a model.` where the rows are not all alike. */
function sayDifferent(rows: readonly NamedRow[], kindOf: (row: NamedRow) => string): string[] {
  const groups = group(rows, kindOf)
  if (groups.size < 2) return []
  const parts = listGroups(groups).map(
    ([kind, who, count]) => `${who} ${count === 1 ? 'is' : 'are'} ${kind}`,
  )
  return [`${parts.join(', ')}.`]
}

function sayOtherSettings(rows: readonly NamedRow[]): string[] {
  const fields = Object.keys(SETTING_NAMES) as (keyof Settings)[]
  const parts = fields.flatMap((field) => {
    const groups = group(rows, ({ row }) => describeSetting(field, row.settings))
    if (groups.size < 2) return []
    const values = listGroups(groups).map(([value, who]) => `${who} ${value}`)
    return [`${SETTING_NAMES[field]} (${values.join('; ')})`]
  })
  return parts.length === 0 ? [] : [`Settings differ: ${parts.join(', ')}.`]
}

/** Each value with who has it; among many rows the largest group is `the others`, and comes last. */
function listGroups(groups: ReadonlyMap<string, string[]>): [string, string, number][] {
  const sorted = [...groups].sort(([, a], [, b]) => a.length - b.length)
  const largest = sorted.at(-1)
  return sorted.map(([value, names]) => {
    const isRest = names === largest?.[1] && names.length > MOST_NAMED
    return [value, isRest ? 'the others' : listNames(names, names.length), names.length]
  })
}

function group(rows: readonly NamedRow[], keyOf: (row: NamedRow) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row.name])
  return groups
}
