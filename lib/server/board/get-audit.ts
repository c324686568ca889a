import { listAudit, listAuditActions } from '#lib/db/audit-store.ts'
import { database } from '#lib/db/database.ts'
import type { AuditFilter, AuditLine, AuditView } from '#lib/domain/api/index.ts'

const PAGE = 50

/** Returns a page of the audit log, newest first; a page beyond the last is the last. */
export async function getAudit({ page: wanted, ...filter }: AuditFilter): Promise<AuditView> {
  const db = database()
  const { matching } = await listAudit(db, filter, { skip: 0, take: 0 })
  const pages = Math.max(1, Math.ceil(matching / PAGE))
  const page = Math.min(Math.max(1, wanted), pages)
  const [{ rows }, actions] = await Promise.all([
    listAudit(db, filter, { skip: (page - 1) * PAGE, take: PAGE }),
    listAuditActions(db),
  ])
  return { lines: rows.map(toLine), matching, page, pages, actions }
}

type Row = Awaited<ReturnType<typeof listAudit>>['rows'][number]

function toLine({ id, at, actorKind, actor, action, target, detail, requestId }: Row): AuditLine {
  const parts = readDetail(detail)
  return { id, at: at.toISOString(), actorKind, actor, action, target, detail: parts, requestId }
}

/** Formats a detail's fields without those that are null; anything but a JSON object is shown unchanged. */
function readDetail(text: string): { name: string; value: string }[] {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return Object.entries(value).flatMap(([name, part]) =>
        part === null
          ? []
          : [{ name, value: typeof part === 'string' ? part : JSON.stringify(part) }],
      )
    }
  } catch {
    // Shown unchanged.
  }
  return [{ name: 'detail', value: text }]
}
