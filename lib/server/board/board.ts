import { join } from 'node:path'
import { findBoard, findBoardText, listBoards } from '../../db/board-store.ts'
import { database } from '../../db/database.ts'
import { findSuite, findSuiteVersion } from '../../db/suite-store.ts'
import type { SuiteSummary } from '../../domain/api/index.ts'
import {
  type Board,
  buildBoard,
  type HistoryQuery,
  type HistoryRow,
  type HistorySubject,
  listHistorySubjects,
  rowHistory,
  serializeBoard,
} from '../../domain/board/index.ts'
import { digestBytes, digestSchema } from '../../domain/digest/index.ts'
import { slugSchema } from '../../domain/record/index.ts'
import {
  type Axis,
  type AxisReport,
  buildAxisReport,
  type LibraryFacts,
  libraryFactsSchema,
} from '../../domain/reports/index.ts'
import type { Suite } from '../../domain/tasks/index.ts'
import { unknownName } from '../../domain/text/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { byStamp } from './by-stamp.ts'
import { defaultSuite, listSuiteSummaries, readDocument } from './suites.ts'

/**
 * Returns the stored leaderboard of a suite's current version, or of the one with digest `version`. A suite without
 * episodes has no rows; null = no such suite or version.
 */
export function getBoard(suiteId: string, version: string | null = null): Promise<Board | null> {
  return readBoard(suiteId, version)
}

const readBoard = byStamp(
  'boards of pages',
  async (suiteId: string, version: string | null): Promise<Board | null> => {
    const suite = await findVersion(suiteId, version)
    if (suite === null) return null
    const snapshot = await findBoard(database(), suite.digest)
    return snapshot?.board ?? buildBoard({ suite, facts: [], runs: [] })
  },
)

/** A board's digest, known before its bytes are read. */
type StoredBoard = { digest: string; read: () => Promise<Buffer> }

/** Returns a leaderboard as its stored bytes, read once while nothing changes; null = no such suite or version. */
export const getBoardBytes = byStamp(
  'board bytes',
  async (suiteId: string, version: string | null): Promise<StoredBoard | null> => {
    const suite = await findVersion(suiteId, version)
    if (suite === null) return null
    const db = database()
    const snapshot = await findBoard(db, suite.digest)
    if (snapshot === null) {
      const text = serializeBoard(buildBoard({ suite, facts: [], runs: [] }))
      return { digest: digestBytes(text), read: async () => Buffer.from(text) }
    }
    const { board, digest } = snapshot
    const read = async () =>
      Buffer.from((await findBoardText(db, suite.digest, digest)) ?? serializeBoard(board))
    return { digest, read: once(read) }
  },
)

/** Returns `read` with a memory of its result; a failure is not kept. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | null = null
  return () => {
    kept ??= read().catch((error) => {
      kept = null
      throw error
    })
    return kept
  }
}

async function findVersion(suiteId: string, version: string | null): Promise<Suite | null> {
  const db = database()
  const digest = version === null ? null : digestSchema.safeParse(version)
  if (digest?.success === false) return null
  const suite = digest ? await findSuiteVersion(db, digest.data) : await findSuite(db, suiteId)
  return suite?.suiteId === suiteId ? suite : null
}

type ChosenBoard = {
  suites: readonly SuiteSummary[]
  /** The requested suite, else the first with rows; null = there is none. */
  suiteId: string | null
  /** Null = no such suite. */
  board: Board | null
}

/** Returns the board of the suite that the URL names, else of the first suite with rows. */
export async function chooseBoard(wanted: string | null): Promise<ChosenBoard> {
  const suites = await listSuiteSummaries()
  const suiteId = wanted ?? defaultSuite(suites)
  return { suites, suiteId, board: suiteId === null ? null : await getBoard(suiteId) }
}

/** Returns one axis report of a suite, by default the first. Throws not-found with the nearest names. */
export async function chooseReport(axis: Axis, suite: string | undefined): Promise<AxisReport> {
  const suiteIds = (await listSuiteSummaries()).map(({ suiteId }) => suiteId)
  const wanted = suite ?? suiteIds[0]
  if (wanted === undefined)
    throw new AppError('not-found', 'no suite is known yet: the worker has not started')
  const board = await getBoard(wanted)
  if (!board) throw new AppError('not-found', unknownName('suite', wanted, suiteIds))
  return buildAxisReport(axis, board, await getLibraryFacts(board.suite.suiteId))
}

export type History = { suiteId: string; suiteTitle: string; rows: HistoryRow[] }

/** Returns a subject's rows on every version of a suite, oldest first; null = no such suite. */
export async function getHistory(suiteId: string, query: HistoryQuery): Promise<History | null> {
  const db = database()
  const [suite, records] = await Promise.all([findSuite(db, suiteId), listBoards(db, suiteId)])
  if (!suite) return null
  const rows = rowHistory(
    records.map(({ board }) => board),
    query,
  )
  return { suiteId, suiteTitle: suite.title, rows }
}

/** The subjects of a suite's current leaderboard in its order, each of which has a history. */
export type SuiteHistories = {
  suiteId: string
  suiteTitle: string
  subjects: HistorySubject[]
}

/** Lists the histories of suites with entries; `suiteId` = only this one. */
export async function listHistories(suiteId: string | null): Promise<SuiteHistories[]> {
  const suites = await listSuiteSummaries()
  const selected = suites.filter((suite) => suiteId === null || suite.suiteId === suiteId)
  const found = selected.map(async (suite) => {
    const snapshot = await findBoard(database(), suite.digest)
    const subjects = listHistorySubjects(snapshot?.board.rows ?? [])
    return { suiteId: suite.suiteId, suiteTitle: suite.title, subjects }
  })
  return (await Promise.all(found)).filter(({ subjects }) => subjects.length > 0)
}

/**
 * Returns facts about a suite's libraries that were measured apart from episodes, from this machine's data folder or
 * else shipped with the suite. Null = none; an invalid file is logged and counts as none.
 */
export async function getLibraryFacts(suiteId: string): Promise<LibraryFacts | null> {
  if (!slugSchema.safeParse(suiteId).success) return null
  const { dataDir, root } = env()
  const own = join(dataDir, 'library-facts', `${suiteId}.json`)
  const shipped = join(/* turbopackIgnore: true */ root, 'exercises', suiteId, 'library-facts.json')
  const read = (path: string) => readDocument(path, libraryFactsSchema)
  return (await read(own)) ?? (await read(shipped))
}
