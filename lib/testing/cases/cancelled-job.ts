import { database } from '../../db/database.ts'
import { listLedger } from '../../db/ledger-store.ts'
import type { Actor } from '../../domain/accounts/index.ts'

const ADMIN: Actor = { kind: 'user', id: 'u1', name: 'ada@example.org', role: 'admin' }
/** Who asks for a change of a job, and when. */
export const asking = () => ({ actor: ADMIN, now: new Date(), requestId: 'r1' })

/** Every attempt of a run, in order. */
export const episodesOf = (runId: string) =>
  database().episode.findMany({ where: { runId }, orderBy: { attempt: 'asc' } })

/** How often the ledger says that a run was sealed. */
export async function sealedInLedger(runId: string): Promise<number> {
  const entries = await listLedger(database())
  return entries.filter(({ action }) => action.kind === 'seal-run' && action.target === runId)
    .length
}
