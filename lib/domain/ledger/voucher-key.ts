import type { Actor } from '../access.ts'
import type { Provenance } from '../board/episode-fact.ts'

/** Everything that this machine ran itself. */
export const THIS_SERVER = 'this server'

/**
 * What tells one sender from another: a repository by its issuer and id, a token or a person by name, and this server.
 * A plan's results count as registered only when they come from the sender who registered it.
 */
export function voucherKey(
  provenance: Provenance,
  actor: Pick<Actor, 'kind' | 'id' | 'name'>,
): string {
  if (provenance === 'local') return THIS_SERVER
  if (actor.kind === 'workflow') return actor.id ?? actor.name
  return `${actor.kind} ${actor.name}`
}
