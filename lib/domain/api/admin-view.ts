import type { OidcRule, Role, Scope } from '../accounts/index.ts'

/** An account as the admin pages show it; instants in ISO. */
export type AccountView = {
  id: string
  name: string
  email: string
  role: Role
  /** Null = not disabled. */
  disabledAt: string | null
  createdAt: string
  /** False = invited by a one-time link that was not used yet. */
  hasPassword: boolean
  /** Number of sessions that have not ended. */
  sessions: number
  /** Latest sign-in among the stored sessions; null = no stored session. */
  lastSignInAt: string | null
}

/** A session as its owner sees it; instants in ISO. */
export type SessionView = {
  id: string
  createdAt: string
  expiresAt: string
  userAgent: string | null
  /** Known only behind a trusted proxy. */
  ipAddress: string | null
  /** True for the session of this request. */
  isHere: boolean
}

/** An API token as the admin pages show it; instants in ISO. */
export type TokenView = {
  id: string
  name: string
  prefix: string
  scopes: readonly Scope[]
  createdBy: string
  createdAt: string
  /** Null = does not expire. */
  expiresAt: string | null
  /** To the minute; null = never used. */
  lastUsedAt: string | null
  state: 'works' | 'expired' | 'revoked'
}

/** The rules by which workflows send results under their own identity. */
export type OidcView = {
  issuers: readonly string[]
  /** The required audience of a token. */
  audience: string
  rules: { id: string; rule: OidcRule; createdBy: string; createdAt: string }[]
}

/** Filter of the audit log; empty strings match everything. */
export type AuditFilter = { actor: string; action: string; target: string; page: number }

/** One recorded action. */
export type AuditLine = {
  id: number
  at: string
  actorKind: string
  actor: string
  action: string
  target: string | null
  detail: { name: string; value: string }[]
  requestId: string | null
}

export type AuditView = {
  lines: AuditLine[]
  matching: number
  page: number
  pages: number
  /** Every action that ever occurred, for the filter. */
  actions: string[]
}
