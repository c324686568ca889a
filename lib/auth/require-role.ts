import { hasRole, type Role } from '#lib/domain/access.ts'
import { AppError } from '#lib/errors.ts'
import { findActor, type UserActor } from './find-actor.ts'

/** The person behind a request, or a refusal. Every page, action and route that needs someone asks for itself. */
export async function requireRole(headers: Headers, role: Role): Promise<UserActor> {
  const actor = await findActor(headers)
  if (!actor) throw new AppError('unauthorised', 'Sign in first.')
  if (hasRole(actor.role, role)) return actor
  throw new AppError('forbidden', `You are signed in as a ${actor.role}. This requires an ${role}.`)
}
