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
