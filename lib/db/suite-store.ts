import { canonicalJson, type Digest } from '../domain/digest/index.ts'
import { reportedSuite } from '../domain/formats/index.ts'
import { compareVersions } from '../domain/ledger/index.ts'
import { type AnyPlan, isFrozen } from '../domain/record/index.ts'
import { type Suite, suiteSchema } from '../domain/tasks/index.ts'
import { processWide } from '../process-wide.ts'
import { withDatabaseErrors } from './database-error.ts'
import type { Db, DbOrTx } from './db.ts'
import type { Prisma, Suite as SuiteRow, Task as TaskRow } from './generated/sqlite/client.ts'
import { appendLedger, findLastEntry } from './ledger-store.ts'
import { inTransaction } from './transaction.ts'

/** Rows of a suite and its tasks in order, from any query. */
type SuiteWithTasks = Omit<SuiteRow, 'isCurrent' | 'savedAt'> & {
  tasks: Pick<TaskRow, 'definition'>[]
}

/** Makes this version the suite's current one; earlier versions stay, since episodes refer to them. */
export async function saveSuite(db: Db, suite: Suite, now: Date): Promise<void> {
  await withDatabaseErrors(() => inTransaction(db, (tx) => saveSuiteWithin(tx, suite, now)))
}

/** Saves a suite within a transaction. See `saveSuite`. */
async function saveSuiteWithin(tx: DbOrTx, suite: Suite, now: Date): Promise<void> {
  const { digest, source, tasks, thresholds, subjectKinds, ...columns } = suite
  const row = {
    ...columns,
    sourceUrl: source?.url ?? null,
    sourceRef: source?.ref ?? null,
    thresholds: thresholds ? canonicalJson(thresholds) : null,
    subjectKinds: subjectKinds ? canonicalJson(subjectKinds) : null,
    isCurrent: true,
    savedAt: now,
  }
  const taskRows = tasks.map((task, position) => ({
    suiteDigest: digest,
    taskId: task.taskId,
    digest: task.digest,
    position,
    title: task.title,
    category: task.category,
    difficulty: task.difficulty,
    definition: canonicalJson(task),
  }))
  const { suiteId } = suite
  await recordVersion(tx, suite, now)
  await tx.suite.updateMany({ where: { suiteId, isCurrent: true }, data: { isCurrent: false } })
  await tx.suite.upsert({ where: { digest }, create: { digest, ...row }, update: row })
  await tx.task.deleteMany({ where: { suiteDigest: digest } })
  await tx.task.createMany({ data: taskRows })
}

/** Records a new suite or version in the ledger, unless its last entry has this version. */
async function recordVersion(tx: DbOrTx, suite: Suite, now: Date): Promise<void> {
  const last = await findLastEntry(tx, 'task-version', suite.suiteId)
  const thresholds = suite.thresholds ?? null
  const isSame = last?.action.to === suite.digest
  if (isSame && canonicalJson(last.action.thresholds ?? null) === canonicalJson(thresholds)) return
  const current = await findSuite(tx, suite.suiteId)
  const earlier = current?.digest === suite.digest && !isSame ? null : current
  const action = { ...compareVersions(earlier, suite), thresholds }
  const reason = isSame
    ? 'the suite has other thresholds'
    : earlier
      ? 'the suite has a new version'
      : 'the suite was added to this server'
  await appendLedger(tx, { author: 'server', reason, action }, now)
}

/** Returns the current version of a suite. */
export async function findSuite(db: DbOrTx, suiteId: string): Promise<Suite | null> {
  const [suite] = await readSuites(db, { suiteId, isCurrent: true })
  return suite ?? null
}

/** Returns one version of a suite, current or not. */
export async function findSuiteVersion(db: DbOrTx, digest: Digest): Promise<Suite | null> {
  const [suite] = await readSuites(db, { digest })
  return suite ?? null
}

/** Lists the versions of a suite that have episodes, and the current one. */
export async function listMeasuredVersions(db: DbOrTx, suiteId: string): Promise<Suite[]> {
  // Raw SQL, before every board refresh: Prisma takes longer to build its query.
  const rows = await db.$queryRaw<SuiteRow[]>`
    SELECT * FROM "Suite" AS s WHERE "suiteId" = ${suiteId}
      AND ("isCurrent" OR EXISTS (SELECT 1 FROM "Episode" AS e WHERE e."suiteDigest" = s."digest"))
    ORDER BY "digest"`
  return Promise.all(rows.map((row) => readSuite(db, row)))
}

/** Lists all current suites, by name. */
export function listSuites(db: DbOrTx): Promise<Suite[]> {
  return readSuites(db, { isCurrent: true })
}

/** Returns the titles of all current suites by id. */
export async function readSuiteTitles(db: DbOrTx): Promise<ReadonlyMap<string, string>> {
  const rows = await db.suite.findMany({
    where: { isCurrent: true },
    select: { suiteId: true, title: true },
  })
  return new Map(rows.map(({ suiteId, title }) => [suiteId, title]))
}

/** Returns the authors' name of each version of a suite, by digest. */
export async function readVersionNumbers(
  db: DbOrTx,
  suiteId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.suite.findMany({
    where: { suiteId },
    select: { digest: true, version: true },
  })
  return new Map(rows.map(({ digest, version }) => [digest, version]))
}

const parsed = processWide('suites', () => new Map<string, Suite>())
/** Parsed suites cached by a process. */
const MAX_PARSED = 64

/** Reads suites by name and digest. Tasks are read and parsed only when the suite was saved since the last time. */
async function readSuites(db: DbOrTx, where: Prisma.SuiteWhereInput): Promise<Suite[]> {
  const rows = await db.suite.findMany({
    where,
    orderBy: [{ suiteId: 'asc' }, { digest: 'asc' }],
  })
  return Promise.all(rows.map((row) => readSuite(db, row)))
}

async function readSuite(db: DbOrTx, row: SuiteRow): Promise<Suite> {
  const key = JSON.stringify(row)
  const known = parsed.get(key)
  if (known) return known
  const tasks = await db.task.findMany({
    where: { suiteDigest: row.digest },
    orderBy: { position: 'asc' },
  })
  const suite = toSuite({ ...row, tasks })
  const [oldest] = parsed.keys()
  if (parsed.size >= MAX_PARSED && oldest !== undefined) parsed.delete(oldest)
  parsed.set(key, suite)
  return suite
}

/** Builds a suite from its rows. */
export function toSuite(row: SuiteWithTasks): Suite {
  const { sourceUrl: url, sourceRef: ref } = row
  const source = url !== null && ref !== null ? { url, ref } : null
  const tasks = row.tasks.map((task): unknown => JSON.parse(task.definition))
  const thresholds: unknown = row.thresholds ? JSON.parse(row.thresholds) : undefined
  const subjectKinds: unknown = row.subjectKinds ? JSON.parse(row.subjectKinds) : undefined
  return suiteSchema.parse({ ...row, source, tasks, thresholds, subjectKinds })
}

/** Stores the tasks named by a run of another program, so that it has a board, unless they are stored. */
export async function saveReportedSuite(tx: DbOrTx, plan: AnyPlan, now: Date): Promise<void> {
  if (isFrozen(plan) || (await findSuiteVersion(tx, plan.suiteDigest))) return
  await saveSuiteWithin(tx, reportedSuite(plan), now)
}
