import type { Actor } from '../access.ts'
import type { Provenance } from '../board/episode-fact.ts'

/** Everything that this machine ran itself. */
export const THIS_SERVER = 'this server'

/**
 * What tells one sender from another: a repository by its issuer and id, a token by name, a person by id, and this server.
 * A plan's results count as registered only when they come from the sender who registered it.
 */
export function voucherKey(
  provenance: Provenance,
  actor: Pick<Actor, 'kind' | 'id' | 'name'>,
): string {
  if (provenance === 'local') return THIS_SERVER
  if (actor.kind === 'workflow') return actor.id ?? actor.name
  if (actor.kind === 'user') return `user ${actor.id}`
  return `${actor.kind} ${actor.name}`
}

/** How the public ledger names a sender: a person by the office alone, who it was stands in the audit log. */
export function publicName({ kind, name }: Pick<Actor, 'kind' | 'name'>): string {
  return kind === 'user' ? 'administrator' : name
}
