import { database } from '#lib/db/database.ts'
import { findSuite } from '#lib/db/suite-store.ts'
import { rowExposure } from '#lib/domain/models/task-exposure.ts'
import type { RowView } from '#lib/domain/views/suite-view.ts'
import { findRow } from './find-row.ts'
import { listCutoffs } from './list-cutoffs.ts'

/** A row by its id with the board it stands on; null = on none. */
export async function getRow(rowId: string): Promise<RowView | null> {
  const found = await findRow(rowId)
  if (!found) return null
  const { suiteId, title, digest } = found.board.suite
  const [current, cutoffs] = await Promise.all([findSuite(database(), suiteId), listCutoffs()])
  return {
    row: found.row,
    suite: { suiteId, title, digest },
    isCurrent: current?.digest === digest,
    exposure: rowExposure(found.row, found.board, cutoffs),
  }
}
