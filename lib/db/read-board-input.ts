import type { BuildBoardInput } from '#lib/domain/board/build-board-input.ts'
import { applyLedger } from '#lib/domain/ledger/apply-ledger.ts'
import type { Suite } from '#lib/domain/suite.ts'
import { listFacts } from './episode-store.ts'
import { listLedger } from './ledger-store.ts'
import type { DbOrTx } from './open-db.ts'
import { listRunsOfSuite, type RunRecord } from './run-store.ts'

/** Everything that the board of one version of a suite is built from. */
export async function readBoardInput(db: DbOrTx, suite: Suite): Promise<BuildBoardInput> {
  const [facts, runs, entries] = await Promise.all([
    listFacts(db, suite.digest),
    listRunsOfSuite(db, suite.digest),
    listLedger(db),
  ])
  return { suite, facts, runs: runs.map(toPlannedRun), ledger: applyLedger(entries) }
}

function toPlannedRun({ runId, plan, shard }: RunRecord): BuildBoardInput['runs'][number] {
  return shard ? { runId, plan, shard } : { runId, plan }
}
