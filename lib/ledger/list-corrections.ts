import { database } from '#lib/db/database.ts'
import { listEntriesOn } from '#lib/db/ledger-store.ts'
import { applyLedger } from '#lib/domain/ledger/apply-ledger.ts'
import type { CorrectionNote } from '#lib/domain/views/ledger-view.ts'

/** What the ledger corrected about these targets and still holds, in the order of the targets. */
export async function listCorrections(targets: readonly string[]): Promise<CorrectionNote[]> {
  const state = applyLedger(await listEntriesOn(database(), targets))
  return targets.flatMap((target) => {
    const removed = state.removed.get(target)
    const invalidated = state.invalidated.get(target)
    const rescored = state.rescored.get(target)
    const notes: CorrectionNote[] = []
    if (removed) notes.push({ kind: 'removed', target, ...removed })
    if (invalidated) notes.push({ kind: 'invalidated', target, ...invalidated })
    if (rescored) notes.push({ kind: 'rescored', target, ...rescored })
    return notes
  })
}
