import { type SubjectSummary, subjectSummarySchema } from '#lib/domain/api/index.ts'
import type { DbOrTx } from './db.ts'
import type { Subject } from './generated/sqlite/client.ts'

type Options = { after: readonly [name: string, id: string] | null; limit: number }

const WITH_EPISODES = { _count: { select: { episodes: true } } } as const

/** Lists every measured or queued subject, by name. */
export async function listSubjectRecords(
  db: DbOrTx,
  kind: string | undefined,
  { after, limit }: Options,
): Promise<SubjectSummary[]> {
  const behind = after && {
    OR: [{ name: { gt: after[0] } }, { name: after[0], id: { gt: after[1] } }],
  }
  const rows = await db.subject.findMany({
    where: { ...(kind && { kind }), ...behind },
    include: WITH_EPISODES,
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: limit,
  })
  return rows.map(toSummary)
}

export async function findSubjectSummary(db: DbOrTx, id: string): Promise<SubjectSummary | null> {
  const row = await db.subject.findUnique({ where: { id }, include: WITH_EPISODES })
  return row && toSummary(row)
}

function toSummary({ id, _count, ...row }: Subject & { _count: { episodes: number } }) {
  return subjectSummarySchema.parse({ subjectId: id, ...row, episodes: _count.episodes })
}
