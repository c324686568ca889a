import { z } from 'zod'
import { findPasswordProblem } from './password.ts'

/** Roles of a signed-in person: an administrator may do everything, a viewer may only view the admin pages. */
export const ROLES = ['admin', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** Permissions of an API token. */
export const SCOPES = ['results:write', 'runs:write', 'admin:read'] as const
export type Scope = (typeof SCOPES)[number]

/** The sender of a request. `console` is any user who can read and write the data folder. */
export type Actor =
  | { kind: 'user'; id: string; name: string; role: Role }
  /** `account` = the user it belongs to; absent = it was created on the console for no user. */
  | { kind: 'token'; id: string; name: string; scopes: readonly Scope[]; account?: string }
  /** A CI run with an identity token of its issuer; `id` = issuer and repository id, `account` = issuer and owner id. */
  | { kind: 'workflow'; id: string; name: string; account?: string }
  | { kind: 'console'; id: null; name: 'console' }
  | { kind: 'system'; id: null; name: 'system' }

/** The command line of this server, and the server itself. */
export const CONSOLE_ACTOR = { kind: 'console', id: null, name: 'console' } as const
export const SYSTEM_ACTOR = { kind: 'system', id: null, name: 'system' } as const

/** True if this role includes `needed`. */
export function hasRole(role: Role, needed: Role): boolean {
  return role === 'admin' || role === needed
}

/** An e-mail address as it is stored: trimmed, in lower case. */
export const emailSchema = z
  .string('Give an e-mail address.')
  .trim()
  .toLowerCase()
  .max(254, 'This e-mail address is too long.')
  .pipe(z.email('Give an e-mail address, like ada@example.org.'))

/** The name of a person on the admin pages. */
export const personNameSchema = z
  .string('Give a name.')
  .trim()
  .min(1, 'Give a name.')
  .max(80, 'Take at most 80 characters.')
  .regex(/^[^\p{Cc}]*$/u, 'A name is one line.')

export const roleSchema = z.enum(ROLES, `Take one of: ${ROLES.join(', ')}.`)

/** A new password, validated as far as possible without its owner's address. */
export const newPasswordSchema = z.string('Choose a password.').superRefine((password, context) => {
  const problem = findPasswordProblem(password, '')
  if (problem) context.addIssue({ code: 'custom', message: problem })
})
