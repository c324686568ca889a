import { type Board, type BuildBoardInput, boardInput, buildBoard } from '../domain/board/index.ts'
import type { Suite } from '../domain/tasks/index.ts'
import { env } from '../env.ts'
import { saveBoard } from './board-store.ts'
import type { Db, DbOrTx } from './db.ts'
import { listFacts } from './episode-store.ts'
import { listEvaluations } from './evaluation-store.ts'
import { listLedger } from './ledger-store.ts'
import { copyRegrades, listRegradesOfRuns } from './regrade-store.ts'
import { listRunsOfSuite } from './run-store.ts'

/**
 * Builds the board of one suite version from the stored episodes and the regrades in this machine's run folders, and
 * saves it as its snapshot.
 */
export async function refreshBoard(db: Db, suite: Suite, now: Date): Promise<Board> {
  await copyRegrades(db, env().runsDir)
  const { input, ledgerSequence } = await readBoardInput(db, suite)
  const board = buildBoard(input)
  await saveBoard(db, board, { ledgerSequence, now })
  return board
}

type BoardMaterial = {
  input: BuildBoardInput
  /** Sequence of the last ledger entry that was read; 0 = the ledger is empty. */
  ledgerSequence: number
}

/** Reads everything that the board of one suite version is built from. Writes nothing. */
export async function readBoardInput(db: DbOrTx, suite: Suite): Promise<BoardMaterial> {
  // The ledger is read first: an episode that arrives meanwhile requests the board again.
  const entries = await listLedger(db)
  const [facts, runs, evaluations] = await Promise.all([
    listFacts(db, suite.digest),
    listRunsOfSuite(db, suite.digest),
    listEvaluations(db, suite.digest),
  ])
  const planned = runs.map(({ runId, plan }) => ({ runId, plan }))
  const regrades = await listRegradesOfRuns(
    db,
    planned.map(({ runId }) => runId),
  )
  return {
    input: boardInput({ suite, facts, runs: planned, evaluations, regrades }, entries),
    ledgerSequence: entries.at(-1)?.sequence ?? 0,
  }
}
