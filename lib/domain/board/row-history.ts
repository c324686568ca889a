import type { Digest } from '../digest/index.ts'
import type { Subject } from '../record/index.ts'
import { SETTING_LIST } from '../settings/index.ts'
import type { Board, BoardRow } from './board-row.ts'
import { type EntryStyle, entryStyles } from './entry-styles.ts'

/** An earlier or current row of one subject: same name and model; version, settings and suite version can differ. */
export type HistoryRow = Pick<
  BoardRow,
  | 'rowId'
  | 'subject'
  | 'settings'
  | 'label'
  | 'success'
  | 'repetitions'
  | 'firstStartedAt'
  | 'lastStartedAt'
> & {
  suiteDigest: Digest
  isStress: boolean
  /** Style in charts. */
  style?: EntryStyle | undefined
  /** Differences from the previous row; empty for the first. */
  changes: string[]
}

export type HistoryQuery = { name: string; model: string | null }

/** A subject with a history; `rows` = its entries on the current version of the suite. */
export type HistorySubject = HistoryQuery & { rows: number }

/** Lists the subjects of a board in its order. */
export function listHistorySubjects(rows: Board['rows']): HistorySubject[] {
  const subjects = new Map<string, HistorySubject>()
  for (const { subject } of rows) {
    const { name, modelRequested: model } = subject
    const key = JSON.stringify([name, model])
    const known = subjects.get(key) ?? { name, model, rows: 0 }
    subjects.set(key, { ...known, rows: known.rows + 1 })
  }
  return [...subjects.values()]
}

/**
 * Returns a subject's rows over all versions of a suite, oldest first, each with the changes since the previous one.
 */
export function rowHistory(boards: readonly Board[], { name, model }: HistoryQuery): HistoryRow[] {
  const styles = new Map(boards.flatMap((board) => [...entryStyles(board.rows)]))
  const rows = boards
    .flatMap((board) => board.rows)
    .filter(({ subject }) => subject.name === name && subject.modelRequested === model)
    .sort(byTime)
  return rows.map((row, index) => {
    const { rowId, subject, settings, label, success, repetitions } = row
    const { firstStartedAt, lastStartedAt, suiteDigest } = row
    return {
      rowId,
      subject,
      settings,
      label,
      success,
      repetitions,
      firstStartedAt,
      lastStartedAt,
      suiteDigest,
      isStress: row.recovery !== null,
      style: styles.get(rowId),
      changes: listChanges(rows[index - 1], row),
    }
  })
}

/** Orders rows by their first episode, then by id. */
export function byTime(a: BoardRow, b: BoardRow): number {
  const [left, right] = [a, b].map((row) => `${row.firstStartedAt}\n${row.rowId}`)
  return (left ?? '') < (right ?? '') ? -1 : 1
}

/** Describes the differences between two rows of one subject, including settings that only one of them has. */
export function listChanges(before: BoardRow | undefined, row: BoardRow): string[] {
  if (!before) return []
  const settings = SETTING_LIST.filter(
    ({ key }) => (before.settings[key] ?? null) !== (row.settings[key] ?? null),
  )
  // The setting names the fault, if there is one.
  const hasOtherFaults =
    (before.recovery === null) !== (row.recovery === null) &&
    !settings.some(({ key }) => key === 'fault')
  return [
    ...(before.suiteDigest === row.suiteDigest ? [] : ['suite version']),
    ...(before.subject.version === row.subject.version ? [] : ['version']),
    ...(before.subject.provider === row.subject.provider ? [] : ['provider']),
    ...(before.subject.adapterVersion === row.subject.adapterVersion ? [] : ['adapter version']),
    ...listArmChanges(before.subject, row.subject),
    ...settings.map(({ name }) => name),
    ...(hasOtherFaults ? ['fault'] : []),
  ]
}

function listArmChanges(before: Subject, { arm, armDigest }: Subject): string[] {
  if (before.arm !== arm) return ['arm']
  return before.armDigest === armDigest ? [] : ['arm contents']
}
