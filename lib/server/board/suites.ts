import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { findBoard, listBoards } from '../../db/board-store.ts'
import { database } from '../../db/database.ts'
import {
  findSuite,
  findSuiteVersion,
  listSuites as listKeptSuites,
  listSuites,
  readSuiteTitles,
  readVersionNumbers,
} from '../../db/suite-store.ts'
import type { SuiteSummary, SuiteVersion, SuiteView, TaskView } from '../../domain/api/index.ts'
import {
  countRows,
  type ModelledRow,
  modelledRows,
  taskStatistics,
  verifierErrors,
} from '../../domain/board/index.ts'
import { digestSchema } from '../../domain/digest/index.ts'
import { POLICY, tightenPolicy } from '../../domain/eligibility/index.ts'
import { slugSchema } from '../../domain/record/index.ts'
import { type AuditDocument, auditDocumentSchema } from '../../domain/reports/index.ts'
import type { Suite, SuiteThresholds, Task } from '../../domain/tasks/index.ts'
import { parseJson, unknownName } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { createLog } from '../../log.ts'
import { byStamp } from './by-stamp.ts'
import { inOrder, listRunnable } from './runnable-suites.ts'

/** Lists every suite; built-in `typescript` first, those of other programs last, else by name. */
export const listSuiteSummaries = byStamp(
  'suite summaries',
  async (): Promise<readonly SuiteSummary[]> => {
    const suites = await listKeptSuites(database())
    const isRunnable = ({ kind }: Suite) => kind !== 'reported'
    return summarize([
      ...suites.filter(isRunnable),
      ...suites.filter((suite) => !isRunnable(suite)),
    ])
  },
)

/** Returns the titles of all suites by id. */
export const listSuiteTitles = byStamp('suite titles', () => readSuiteTitles(database()))

/** Lists the suites that can be run here, with counts of their boards. */
export async function listRunnableSuites(): Promise<SuiteSummary[]> {
  return summarize(await listRunnable())
}

/**
 * Returns the suite for pages without a selected one: the one with most ranked entries, suites with injected faults
 * last, else the first with an entry, then one where something runs (`running`, by id), then one where controls ran.
 */
export function defaultSuite(
  suites: readonly SuiteSummary[],
  running: readonly string[] = [],
): string | null {
  const [first] = [...suites].sort(
    (a, b) =>
      b.ranked - b.stress - (a.ranked - a.stress) ||
      b.ranked - a.ranked ||
      Number(b.rows > b.controls) - Number(a.rows > a.controls) ||
      Number(running.includes(b.suiteId)) - Number(running.includes(a.suiteId)) ||
      Number(b.rows > 0) - Number(a.rows > 0),
  )
  return first?.suiteId ?? null
}

/** True if no suite has an entry yet; controls are not entries. */
export function isFresh(suites: readonly SuiteSummary[]): boolean {
  return suites.every(({ rows, controls }) => rows === controls)
}

async function summarize(suites: readonly Suite[]): Promise<SuiteSummary[]> {
  const db = database()
  const summaries = suites.map(async ({ suiteId, title, kind, version, tasks, digest }) => {
    const snapshot = await findBoard(db, digest)
    const rows = snapshot?.board.rows ?? []
    const ranked = rows.filter(({ rank }) => rank !== null)
    return {
      suiteId,
      title,
      kind,
      version,
      digest,
      tasks: tasks.length,
      ranked: ranked.length,
      stress: ranked.filter(({ label }) => label === 'stress').length,
      ...countRows(rows),
    }
  })
  return inOrder(await Promise.all(summaries))
}

/** Returns one version of a suite, by default the current one; null = no such suite or version. */
export async function findSuiteOf(suiteId: string, version?: string): Promise<Suite | null> {
  const db = database()
  const digest = version === undefined ? null : digestSchema.parse(version)
  const suite = digest ? await findSuiteVersion(db, digest) : await findSuite(db, suiteId)
  return suite?.suiteId === suiteId ? suite : null
}

/** Returns one suite with its identity and its versions; null = no such suite or version. */
export async function getSuite(suiteId: string, version?: string): Promise<SuiteView | null> {
  const suite = await findSuiteOf(suiteId, version)
  if (!suite) return null
  const [snapshot, versions] = await Promise.all([
    findBoard(database(), suite.digest),
    listVersions(suiteId),
  ])
  const { tasks, thresholds = {}, ...identity } = suite
  const rows = snapshot?.board.rows ?? []
  return {
    ...identity,
    tasks: tasks.length,
    rows: rows.length,
    thresholds: tightenPolicy(POLICY, thresholds).thresholds,
    versions,
    verifierErrors: verifierErrors(rows, tasks),
    taskStatistics: taskStatistics(
      rows,
      tasks.map(({ taskId }) => taskId),
    ),
    ...(suite.digest === versions.find(({ isCurrent }) => isCurrent)?.digest && {
      modelledRows: await listModelledRows(suiteId),
    }),
  }
}

/** Lists the rates of rows of all versions and subsets of a suite on all tasks of its current version. */
export const listModelledRows = byStamp(
  'modelled rows',
  async (suiteId: string): Promise<ModelledRow[]> => {
    const db = database()
    const [current, boards] = await Promise.all([findSuite(db, suiteId), listBoards(db, suiteId)])
    if (!current) return []
    const measured = await Promise.all(
      boards.map(async ({ board }) => {
        const { digest } = board.suite
        const suite = digest === current.digest ? current : await findSuiteVersion(db, digest)
        return { digest, tasks: suite?.tasks ?? [], rows: board.rows }
      }),
    )
    const [own] = measured.filter(({ digest }) => digest === current.digest)
    const others = measured.filter((one) => one !== own)
    return modelledRows([own ?? { ...current, rows: [] }, ...others])
  },
)

/** Lists the versions of a suite that have a board, the current one first; rows stay with the version they ran. */
export async function listVersions(suiteId: string): Promise<SuiteVersion[]> {
  const db = database()
  const [suite, boards, numbers] = await Promise.all([
    findSuite(db, suiteId),
    listBoards(db, suiteId),
    readVersionNumbers(db, suiteId),
  ])
  const versions = boards.map(({ board }) => ({
    digest: board.suite.digest,
    version: numbers.get(board.suite.digest),
    tasks: board.suite.tasks.length,
    ...countRows(board.rows),
    isCurrent: board.suite.digest === suite?.digest,
  }))
  return versions.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

/** Returns the error for an unknown suite or version, with the nearest names. */
export async function suiteNotFoundError(
  suiteId: string,
  version: string | undefined,
): Promise<AppError> {
  const suiteIds = (await listSuiteSummaries()).map((suite) => suite.suiteId)
  const isKnown = version !== undefined && suiteIds.includes(suiteId)
  if (isKnown)
    return new AppError('not-found', `no version ${version} of suite ${suiteId} is stored here`)
  return new AppError('not-found', unknownName('suite', suiteId.slice(0, 80), suiteIds))
}

/** Lists the thresholds of each suite's board: the policy's, or the suite's where they are stricter. */
export async function listSuiteThresholds(): Promise<SuiteThresholds[]> {
  const suites = await listSuites(database())
  return suites.map(({ suiteId, title, thresholds = {} }) => {
    const policy = tightenPolicy(POLICY, thresholds)
    return { suiteId, title, thresholds: policy.thresholds }
  })
}

type TaskOfSuite = { suite: Pick<Suite, 'suiteId' | 'title'>; task: Task }

/** Returns one task of a suite's current version; null = no such suite or task. */
export async function getTask(suiteId: string, taskId: string): Promise<TaskOfSuite | null> {
  const suite = await findSuite(database(), suiteId)
  const task = suite?.tasks.find((one) => one.taskId === taskId)
  return suite && task ? { suite: { suiteId, title: suite.title }, task } : null
}

/** Finds the tasks of this name in the current versions of all suites: names are unique within a suite only. */
export async function findTasks(taskId: string): Promise<TaskView[]> {
  const suites = await listSuites(database())
  return suites.flatMap(({ suiteId, title, digest, tasks }) => {
    const task = tasks.find((one) => one.taskId === taskId)
    return task ? [{ suite: { suiteId, title, digest }, task }] : []
  })
}

/** Lists the ids of the tasks of a suite, or of all suites. */
export async function listTaskIds(suiteId: string | null): Promise<string[]> {
  const suites = await listSuites(database())
  return suites
    .filter((suite) => suiteId === null || suite.suiteId === suiteId)
    .flatMap(({ tasks }) => tasks.map(({ taskId }) => taskId))
}

const log = createLog('attack-audits')

/** A suite with its latest audit; null = none is stored. */
type SuiteAudit = {
  suiteId: string
  title: string
  audit: AuditDocument | null
  /** True if the audit was of another version of the suite. */
  isOutdated: boolean
}

/** Lists every suite that can be run here with its latest audit, of this machine or shipped with the suite. */
export async function listAttackAudits(): Promise<SuiteAudit[]> {
  const suites = await listRunnableSuites()
  return Promise.all(
    suites.map(async ({ suiteId, title, digest }) => {
      const audit = await findAudit(suiteId)
      const isOutdated = audit !== null && audit.suiteDigest !== digest
      return { suiteId, title, audit, isOutdated }
    }),
  )
}

/** Returns the newer audit: this machine's in the data folder, or the one shipped with the suite. */
async function findAudit(suiteId: string): Promise<AuditDocument | null> {
  if (!slugSchema.safeParse(suiteId).success) return null
  const { dataDir, root } = env()
  const read = (path: string) => readDocument(path, auditDocumentSchema)
  const own = await read(join(dataDir, 'audits', `${suiteId}.json`))
  const shipped = await read(
    join(/* turbopackIgnore: true */ root, 'exercises', suiteId, 'audit.json'),
  )
  if (own === null || shipped === null) return own ?? shipped
  return own.auditedAt >= shipped.auditedAt ? own : shipped
}

/** Reads a file beside a suite; null = there is none. One of another format is logged and left out. */
export async function readDocument<S extends z.ZodType>(
  path: string,
  schema: S,
): Promise<z.infer<S> | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  const parsed = schema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  log.warn('a file is left out: it does not have the expected format', { path })
  return null
}
