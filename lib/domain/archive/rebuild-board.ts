import type { Board } from '../board/board-row.ts'
import { buildBoard } from '../board/build-board.ts'
import { episodeFact } from '../board/episode-fact.ts'
import { boardInput } from '../ledger/board-input.ts'
import type { Suite } from '../suite.ts'
import type { Archive } from './archive.ts'

/**
 * One suite version's board out of the artifacts alone. With a ledger provenance and shards are what it says; without
 * one every run counts and its provenance is `manual`.
 */
export function rebuildBoard({ runs, entries, evaluations = [] }: Archive, suite: Suite): Board {
  const own = runs.filter(({ plan }) => plan.suiteDigest === suite.digest)
  const facts = own.flatMap(({ episodes }) => episodes.map((one) => episodeFact(one, 'manual')))
  const planned = own.map(({ runId, plan, shard }) =>
    shard ? { runId, plan, shard } : { runId, plan },
  )
  const kept = { suite, facts, runs: planned }
  return buildBoard(entries ? boardInput({ ...kept, evaluations }, entries) : kept)
}
