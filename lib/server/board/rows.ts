import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBoard, listAllBoards, listBoardsWithRows } from '../../db/board-store.ts'
import { database } from '../../db/database.ts'
import {
  findSubjectSummary,
  listSubjectRecords as listKeptSubjects,
} from '../../db/list-subjects.ts'
import { findRun } from '../../db/run-store.ts'
import { subjectId as idOf } from '../../db/subject-store.ts'
import { findSuite, listSuites } from '../../db/suite-store.ts'
import {
  endPage,
  type RowView,
  type SubjectSummary,
  type SubjectView,
} from '../../domain/api/index.ts'
import {
  type Board,
  type BoardRow,
  type ModelCutoff,
  modelCutoffsFileSchema,
  pickRow,
  rowExposure,
  SHIPPED_CUTOFFS,
} from '../../domain/board/index.ts'
import type { Arm } from '../../domain/record/index.ts'
import { parseJson } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { createLog } from '../../log.ts'

/** Returns a row by its id with its board; null = on none. */
export async function getRow(rowId: string): Promise<RowView | null> {
  const found = await findRow(rowId)
  if (!found) return null
  const { suiteId, title, digest } = found.board.suite
  const [current, cutoffs] = await Promise.all([findSuite(database(), suiteId), listCutoffs()])
  return {
    row: found.row,
    suite: { suiteId, title, digest },
    isCurrent: current?.digest === digest,
    exposure: rowExposure(found.row, found.board, cutoffs),
    ...optionalArm(await findArm(found.row)),
  }
}

const optionalArm = (arm: Arm | null) => (arm === null ? {} : { arm })

/** Returns the arm of a row, from the plan of one of its runs; null = it is not an arm, or no plan is stored. */
export async function findArm({ subject, runIds }: BoardRow): Promise<Arm | null> {
  const [runId] = runIds
  if (subject.arm === undefined || runId === undefined) return null
  const run = await findRun(database(), runId)
  return run?.plan.arms?.find(({ name }) => name === subject.arm) ?? null
}

/** Finds a row by its id, on the board of any suite and version; null = on none. */
export async function findRow(rowId: string): Promise<{ row: BoardRow; board: Board } | null> {
  const [record] = await listBoardsWithRows(database(), [rowId])
  const row = record && pickRow(record.board.rows, rowId)
  return record && row ? { row, board: record.board } : null
}

/** Finds the row that a run counts in; null = on no board. */
export async function findRowOfRun(runId: string): Promise<BoardRow | null> {
  const db = database()
  const run = await findRun(db, runId)
  const snapshot = run && (await findBoard(db, run.plan.suiteDigest))
  return snapshot?.board.rows.find(({ runIds }) => runIds.includes(runId)) ?? null
}

const log = createLog('model-cutoffs')

/**
 * Lists the known training cut-offs of models: those of `model-cutoffs.json` in the data folder before the shipped
 * ones. An invalid file is logged and counts as none.
 */
export async function listCutoffs(): Promise<readonly ModelCutoff[]> {
  const path = join(env().dataDir, 'model-cutoffs.json')
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return SHIPPED_CUTOFFS
  const parsed = modelCutoffsFileSchema.safeParse(parseJson(text))
  if (parsed.success) return [...parsed.data.cutoffs, ...SHIPPED_CUTOFFS]
  const [issue] = parsed.error.issues
  const problem = issue && `${issue.path.join('.')}: ${issue.message}`
  log.warn('cut-offs of models are left out: the file does not have the expected format', {
    path,
    problem,
  })
  return SHIPPED_CUTOFFS
}

/** Returns one subject with its rows on every board, those of current suites first; null = no such subject. */
export async function getSubject(subjectId: string): Promise<SubjectView | null> {
  const db = database()
  const subject = await findSubjectSummary(db, subjectId)
  if (!subject) return null
  const [boards, suites] = await Promise.all([listAllBoards(db), listSuites(db)])
  const current = new Set(suites.map(({ digest }) => digest))
  const rows = boards
    .flatMap(({ board }) => board.rows)
    .filter((row) => idOf(row.subject) === subjectId)
    .map(({ rowId, suiteId, suiteDigest, label, success }) => {
      return { rowId, suiteId, suiteDigest, label, success, isCurrent: current.has(suiteDigest) }
    })
  const order = (row: SubjectView['rows'][number]) => `${row.isCurrent ? 0 : 1} ${row.rowId}`
  return { ...subject, rows: rows.sort((a, b) => (order(a) < order(b) ? -1 : 1)) }
}

type Place = readonly [name: string, id: string]

/** Returns a page of all measured or queued subjects, by name; `last` = where the next page starts. */
export async function listSubjectSummaries(
  { kind }: { kind?: string | undefined },
  { after, limit }: { after: Place | null; limit: number },
): Promise<{ items: SubjectSummary[]; last: Place | null }> {
  const read = await listKeptSubjects(database(), kind, { after, limit: limit + 1 })
  return endPage(read, ({ name, subjectId }) => [name, subjectId], limit)
}
