import { database } from '../../db/database.ts'
import { listLedger } from '../../db/ledger-store.ts'
import type { Actor } from '../../domain/accounts/index.ts'

const ADMIN: Actor = { kind: 'user', id: 'u1', name: 'ada@example.org', role: 'admin' }
/** The actor and time of a change of a job. */
export const asking = () => ({ actor: ADMIN, now: new Date(), requestId: 'r1' })

/** Returns every attempt of a run, in order. */
export const episodesOf = (runId: string) =>
  database().episode.findMany({ where: { runId }, orderBy: { attempt: 'asc' } })

/** Counts the ledger's entries about a sealed run. */
export async function sealedInLedger(runId: string): Promise<number> {
  const entries = await listLedger(database())
  return entries.filter(({ action }) => action.kind === 'seal-run' && action.target === runId)
    .length
}
