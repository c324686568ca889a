import { type BoardRecord, listBoardsWithRows } from '#lib/db/board-store.ts'
import { type Db, database } from '#lib/db/database.ts'
import { findSuiteVersion } from '#lib/db/suite-store.ts'
import { pickRow } from '#lib/domain/board/board-row.ts'
import { buildComparison, rowTallies } from '#lib/domain/compare/build-comparison.ts'
import type { Comparison, ComparisonInput } from '#lib/domain/compare/comparison.ts'
import { refuseComparison } from '#lib/domain/compare/refuse-comparison.ts'
import { comparisonNumbers } from './comparison-numbers.ts'

/** Rows of any suite and version against each other, as their boards stand now; or why they cannot be compared. */
export async function getComparison(asked: readonly string[]): Promise<Comparison> {
  const db = database()
  const records = await listBoardsWithRows(db, asked)
  const all = records.flatMap(({ board }) => board.rows)
  const rowIds = asked.map((id) => pickRow(all, id)?.rowId ?? id)
  const input = { rowIds, rows: findRows(records, rowIds), suites: await findSuites(db, records) }
  const refusal = refuseComparison(input)
  if (refusal) return refusal
  const key = [...records.map(({ digest }) => digest), ...[...rowIds].sort()].join(' ')
  return buildComparison(input, await comparisonNumbers(key, rowTallies(input)))
}

function findRows(
  records: readonly BoardRecord[],
  rowIds: readonly string[],
): ComparisonInput['rows'] {
  return records.flatMap(({ board }) => board.rows.filter(({ rowId }) => rowIds.includes(rowId)))
}

async function findSuites(
  db: Db,
  records: readonly BoardRecord[],
): Promise<ComparisonInput['suites']> {
  const suites = records.map(({ board }) => findSuiteVersion(db, board.suite.digest))
  return (await Promise.all(suites)).filter((suite) => suite !== null)
}
