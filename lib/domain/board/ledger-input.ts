import { foldEvaluations } from '../eligibility/index.ts'
import {
  applyLedger,
  type LedgerAction,
  type LedgerEntry,
  readRegistrations,
} from '../ledger/index.ts'
import type { EpisodeFact, Evaluation } from '../record/index.ts'
import type { BuildBoardInput, PlannedRun } from './build-board-input.ts'

type Include = LedgerAction & { kind: 'include' }

/**
 * What a board is built from: only runs that the ledger includes, vouched for and sharded as it says, with its
 * corrections. The server and whoever rebuilds a board from its artifacts both go through here.
 */
export function boardInput(
  kept: {
    suite: BuildBoardInput['suite']
    facts: readonly EpisodeFact[]
    runs: readonly PlannedRun[]
    evaluations: readonly Evaluation[]
  },
  entries: readonly LedgerEntry[],
): BuildBoardInput {
  const included = listIncluded(entries)
  const first = listFirstIncluded(entries)
  const facts = kept.facts.flatMap((fact) => {
    const include = included.get(fact.runId)
    return include ? { ...fact, ...receiptOf(include, first.get(fact.runId)) } : []
  })
  const runs = kept.runs.flatMap(({ runId, plan }) => {
    const include = included.get(runId)
    if (!include) return []
    const run = { runId, plan, order: first.get(runId)?.sequence ?? 0 }
    return include.shard ? { ...run, shard: include.shard } : run
  })
  const registrations = readRegistrations(entries)
  return {
    suite: kept.suite,
    facts,
    runs,
    ledger: applyLedger(entries),
    registrations,
    evaluations: foldEvaluations(kept.evaluations),
  }
}

/** What the ledger says of a run's episodes; an older `include` lacks the sender and the policy. */
function receiptOf({ provenance, voucher }: Include, first: FirstInclude | undefined) {
  // Including a run again, after it was removed, does not receive it again.
  const receipt = { provenance, receivedUnder: first?.action.policyVersion ?? null }
  return voucher === undefined ? receipt : { ...receipt, voucher }
}

/** The newest `include` of every run, by run id; a later `remove` does not take it away. */
export function listIncluded(entries: readonly LedgerEntry[]): Map<string, Include> {
  const included = new Map<string, Include>()
  for (const { action } of entries) {
    if (action.kind === 'include') included.set(action.target, action)
  }
  return included
}

type FirstInclude = { sequence: number; action: Include }

/** The first `include` of every run: who came first, whatever a sender says about dates. */
function listFirstIncluded(entries: readonly LedgerEntry[]): Map<string, FirstInclude> {
  const first = new Map<string, FirstInclude>()
  for (const { sequence, action } of entries) {
    if (action.kind === 'include' && !first.has(action.target))
      first.set(action.target, { sequence, action })
  }
  return first
}
