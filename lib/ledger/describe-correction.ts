import { database } from '#lib/db/database.ts'
import { describeInclude } from '#lib/db/include-run.ts'
import { findRun } from '#lib/db/run-store.ts'
import type { LedgerAction } from '#lib/domain/ledger/ledger-action.ts'
import { AppError } from '#lib/errors.ts'

/** What a person can ask for by naming kind and target alone. */
export const SIMPLE_KINDS = [
  'remove',
  'invalidate',
  'reinstate',
  'resolve-findings',
  'include',
] as const
export type SimpleKind = (typeof SIMPLE_KINDS)[number]

/** The whole action of a correction; an `include` says again what is kept of the run. */
export async function describeCorrection(kind: SimpleKind, target: string): Promise<LedgerAction> {
  if (kind !== 'include') return { kind, target }
  const db = database()
  const run = await findRun(db, target)
  if (run) return describeInclude(db, target, run.provenance)
  throw new AppError('not-found', `nothing was written: no run ${target} is kept here`)
}
