import { setImmediate as attendToOthers } from 'node:timers/promises'
import { type BoardRecord, listAllBoards } from '../../db/board-store.ts'
import { database } from '../../db/database.ts'
import { findSuiteVersion } from '../../db/suite-store.ts'
import { listRowPairs, pickRowChanges, type RowChange } from '../../domain/board/index.ts'
import { changeSteps } from '../../domain/statistics/index.ts'
import { processWide } from '../../process-wide.ts'

type Known = { key: string; found: Promise<RowChange[]> }

const known = processWide('row changes', () => ({ newest: null as Known | null }))

/**
 * Lists every significant change of a ranked entry, newest first. All pairs of all suites are tested together, whatever
 * is shown, so that an item is the same in every feed. Computed once for each state of the boards.
 */
export async function listRowChanges(): Promise<RowChange[]> {
  const records = await listAllBoards(database())
  const key = records.map(({ digest }) => digest).join(' ')
  if (known.newest?.key === key) return known.newest.found
  const found = findChanges(records)
  known.newest = { key, found }
  found.catch(() => {
    if (known.newest?.found === found) known.newest = null
  })
  return found
}

async function findChanges(records: readonly BoardRecord[]): Promise<RowChange[]> {
  const boards = records.map(({ board }) => board)
  const db = database()
  const versions = boards.map(({ suite }) => findSuiteVersion(db, suite.digest))
  const suites = (await Promise.all(versions)).filter((version) => version !== null)
  const pairs = listRowPairs(boards, suites)
  const steps = changeSteps(pairs.map(({ test }) => test))
  let step = steps.next()
  while (!step.done) {
    await attendToOthers()
    step = steps.next()
  }
  return pickRowChanges(pairs, step.value)
}
