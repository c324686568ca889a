import type { BuildBoardInput } from '#lib/domain/board/build-board-input.ts'
import { boardInput } from '#lib/domain/ledger/board-input.ts'
import type { Suite } from '#lib/domain/suite.ts'
import { listFacts } from './episode-store.ts'
import { listEvaluations } from './evaluation-store.ts'
import { listLedger } from './ledger-store.ts'
import type { DbOrTx } from './open-db.ts'
import { listRunsOfSuite } from './run-store.ts'

export type BoardMaterial = {
  input: BuildBoardInput
  /** The last ledger entry that was read; 0 = there is none. */
  ledgerSequence: number
}

/** Everything that the board of one version of a suite is built from. */
export async function readBoardInput(db: DbOrTx, suite: Suite): Promise<BoardMaterial> {
  // The ledger first: an episode that arrives meanwhile asks for the board again by itself.
  const entries = await listLedger(db)
  const [facts, runs, evaluations] = await Promise.all([
    listFacts(db, suite.digest),
    listRunsOfSuite(db, suite.digest),
    listEvaluations(db, suite.digest),
  ])
  const planned = runs.map(({ runId, plan }) => ({ runId, plan }))
  return {
    input: boardInput({ suite, facts, runs: planned, evaluations }, entries),
    ledgerSequence: entries.at(-1)?.sequence ?? 0,
  }
}
