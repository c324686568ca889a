import { recordAudit } from '#lib/db/audit-store.ts'
import { database } from '#lib/db/database.ts'
import { withDatabaseErrors } from '#lib/db/database-error.ts'
import {
  listOidcRules as readRules,
  removeOidcRule,
  type StoredRule,
  saveOidcRule,
} from '#lib/db/token-store.ts'
import { inTransaction } from '#lib/db/transaction.ts'
import { type Actor, type OidcRule, oidcRuleSchema } from '#lib/domain/accounts/index.ts'
import type { OidcView } from '#lib/domain/api/index.ts'
import { formatIssues, problemLines } from '#lib/domain/text/index.ts'
import { env } from '#lib/env.ts'
import { AppError } from '#lib/errors.ts'

type By = { actor: Actor; now: Date; requestId?: string | null }

/** Allows a workflow to send results. Returns the rule's id. Throws an AppError about an invalid rule. */
export async function allowWorkflow(
  input: unknown,
  { actor, now, requestId = null }: By,
): Promise<string> {
  const rule = readRule(input)
  const work = inTransaction(database(), async (tx) => {
    const same = (await readRules(tx)).find((stored) => isSame(stored.rule, rule))
    if (same) throw new AppError('conflict', `${same.id} is the same rule: nothing was changed`)
    const id = await saveOidcRule(tx, { rule, createdBy: actor.name }, now)
    const record = { actor, action: 'oidc.allow', target: id, detail: rule, requestId }
    await recordAudit(tx, record, now)
    return id
  })
  return withDatabaseErrors(() => work)
}

/** Removes a rule at once; results received by it stay. Throws an AppError. */
export async function removeRule(id: string, { actor, now, requestId = null }: By): Promise<void> {
  const work = inTransaction(database(), async (tx) => {
    if (!(await removeOidcRule(tx, id, now)))
      throw new AppError('not-found', `there is no rule ${id}: nothing was changed`)
    await recordAudit(tx, { actor, action: 'oidc.remove', target: id, requestId }, now)
  })
  await withDatabaseErrors(() => work)
}

export async function listRules(): Promise<StoredRule[]> {
  return withDatabaseErrors(() => readRules(database()))
}

/** Returns the rules with the settings they depend on, for a page. */
export async function getOidcView(): Promise<OidcView> {
  const { oidcIssuers: issuers, oidcAudience: audience } = env()
  const rules = (await listRules()).map(({ createdAt, ...rest }) => {
    return { ...rest, createdAt: createdAt.toISOString() }
  })
  return { issuers, audience, rules }
}

function readRule(input: unknown): OidcRule {
  const parsed = oidcRuleSchema.safeParse(input)
  if (!parsed.success) {
    const lines = problemLines(formatIssues(parsed.error.issues), 5)
    throw new AppError('invalid-request', `nothing was allowed: ${lines.join('; ')}`)
  }
  const { oidcIssuers } = env()
  const { issuer } = parsed.data
  if (oidcIssuers.includes(issuer)) return parsed.data
  const known = oidcIssuers.length > 0 ? oidcIssuers.join(', ') : 'none'
  const message = `nothing was allowed: ${issuer} is not a trusted issuer of this server (PROOFBOARD_OIDC_ISSUERS: ${known})`
  throw new AppError('invalid-request', message)
}

function isSame(a: OidcRule, b: OidcRule): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
