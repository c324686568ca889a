import type { BoardRow } from '../board/board-row.ts'
import { sayWay } from '../browser/browser-words.ts'
import type { Settings } from '../plan.ts'
import { describeSetting, SETTING_NAMES } from './describe-setting.ts'

type NamedRow = Pick<BoardRow, 'rowId' | 'subject' | 'settings' | 'label' | 'recovery' | 'driven'>

/** What is added to a name, one after the other, until it belongs to one row only. */
const DETAILS: ((row: NamedRow, rivals: readonly NamedRow[]) => string | null)[] = [
  ({ subject }) => subject.version,
  ({ subject }) => subject.modelRequested,
  sayWay,
  ({ subject }) => subject.adapterVersion && `adapter ${subject.adapterVersion}`,
  (row) => (isStressed(row) ? 'under faults' : null),
  (row, rivals) => ownSettings(row, rivals),
  ({ rowId }) => rowId.slice(0, 'row_'.length + 6),
]

/** A short name for each row, by row id: the subject's, with as much more as tells it from the others. */
export function nameRows(rows: readonly NamedRow[]): Map<string, string> {
  const names = new Map(rows.map((row) => [row.rowId, row.subject.name]))
  for (const detail of DETAILS) {
    for (const alike of listAlike(rows, names)) {
      const words = alike.map((row) => detail(row, alike))
      if (new Set(words).size < 2) continue
      alike.forEach((row, index) => {
        const word = words[index]
        if (word) names.set(row.rowId, `${names.get(row.rowId)} ${word}`)
      })
    }
  }
  return names
}

/** Measured under faults injected on purpose, whatever the gate says of the row. */
export function isStressed({ label, recovery }: Pick<BoardRow, 'label' | 'recovery'>): boolean {
  return label === 'stress' || recovery !== null
}

function listAlike(rows: readonly NamedRow[], names: ReadonlyMap<string, string>): NamedRow[][] {
  const groups = new Map<string, NamedRow[]>()
  for (const row of rows) {
    const name = names.get(row.rowId) ?? ''
    groups.set(name, [...(groups.get(name) ?? []), row])
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

function ownSettings(row: NamedRow, rivals: readonly NamedRow[]): string {
  const fields = (Object.keys(SETTING_NAMES) as (keyof Settings)[]).filter((field) =>
    rivals.some((rival) => rival.settings[field] !== row.settings[field]),
  )
  return fields
    .map((field) => `${SETTING_NAMES[field]} ${describeSetting(field, row.settings)}`)
    .join(', ')
}
