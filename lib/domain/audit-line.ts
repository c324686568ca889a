import { canonicalJson } from './canonical-json.ts'

/** A line of the audit log as it is digested; `at` as ISO 8601. */
type AuditLine = {
  id: number
  at: string
  actorKind: string
  actorId: string | null
  actor: string
  action: string
  target: string | null
  detail: string
  requestId: string | null
}

/** The bytes of one line of the audit log under a signed head: its columns as canonical JSON. */
export function auditLineText(line: AuditLine): string {
  const { id, at, actorKind, actorId, actor, action, target, detail, requestId } = line
  const told = { id, at, actorKind, actorId, actor, action, target, detail, requestId }
  return `${canonicalJson(told)}\n`
}
