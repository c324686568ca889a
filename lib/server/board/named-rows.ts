import { listAllBoards } from '../../db/board-store.ts'
import { database } from '../../db/database.ts'
import type { Db } from '../../db/db.ts'
import { countOutcomes, listEndings } from '../../db/episode-store.ts'
import { listEpisodeEntries } from '../../db/ledger-store.ts'
import { listSuites } from '../../db/suite-store.ts'
import {
  type NamedKind,
  type NamedRows,
  type OutcomeCount,
  orderNamedRows,
} from '../../domain/api/index.ts'
import { type BoardRow, categoryRates, entryStyles } from '../../domain/board/index.ts'
import { applyLedger, correctedStatus } from '../../domain/ledger/index.ts'
import { isScored } from '../../domain/record/index.ts'
import type { Suite } from '../../domain/tasks/index.ts'
import { byStamp } from './by-stamp.ts'

/**
 * Lists every row, of any suite and version, of the agent or library of this name, or measured with this model; null =
 * none.
 */
export async function getNamedRows(kind: NamedKind, name: string): Promise<NamedRows | null> {
  const db = database()
  const [boards, suites] = await Promise.all([listAllBoards(db), listSuites(db)])
  const current = new Map<string, Suite>(suites.map((suite) => [suite.digest, suite]))
  const rows = boards.flatMap(({ board }) => {
    const styles = entryStyles(board.rows)
    return board.rows
      .filter((row) => nameOf(kind, row) === name)
      .map((row) => {
        const style = styles.get(row.rowId)
        const suite = current.get(board.suite.digest)
        const categories = suite ? categoryRates(row, suite.tasks) : []
        return {
          row,
          style,
          suiteTitle: board.suite.title,
          isCurrent: suite !== undefined,
          categories,
        }
      })
  })
  if (rows.length === 0) return null
  const runIds = new Set(rows.flatMap(({ row }) => row.runIds))
  return { name, rows: orderNamedRows(rows), outcomes: await countCorrected(db, [...runIds]) }
}

/** Counts outcomes with ledger corrections applied, as entries count them. */
async function countCorrected(db: Db, runIds: readonly string[]): Promise<OutcomeCount[]> {
  const [counts, entries] = await Promise.all([
    countOutcomes(db, runIds),
    listEpisodeEntries(db, runIds),
  ])
  const ledger = applyLedger(entries)
  const touched = [...new Set(entries.map(({ action }) => action.target))]
  const found = new Map(counts.map((one) => [keyOf(one), { ...one }]))
  const add = (group: Omit<OutcomeCount, 'episodes'>, episodes: number) => {
    const known = found.get(keyOf(group)) ?? { ...group, episodes: 0 }
    found.set(keyOf(group), { ...known, episodes: known.episodes + episodes })
  }
  for (const { episodeId, ...sealed } of await listEndings(db, touched)) {
    const status = correctedStatus({ episodeId, ...sealed }, ledger)
    if (status === sealed.status) continue
    const isFailure = isScored(status) && status !== 'solved'
    add(sealed, -1)
    add({ status, failureCategory: isFailure ? sealed.failureCategory : null }, 1)
  }
  return [...found.values()]
    .filter(({ episodes }) => episodes > 0)
    .sort((a, b) => b.episodes - a.episodes)
}

const keyOf = ({ status, failureCategory }: Omit<OutcomeCount, 'episodes'>) =>
  `${status} ${failureCategory}`

/** Lists the names that have such a page. */
export const listPageNames = byStamp(
  'page names',
  async (kind: NamedKind): Promise<readonly string[]> => {
    const boards = await listAllBoards(database())
    const rows = boards.flatMap(({ board }) => board.rows)
    return [...new Set(rows.flatMap((row) => nameOf(kind, row) ?? []))]
  },
)

/** Numbers on the page of an agent or a model. */
export type NameCount = { name: string; entries: number; suites: number; episodes: number }

/** Lists every agent, library and control, or every model, by name. */
export async function listNameCounts(kind: NamedKind): Promise<NameCount[]> {
  const boards = await listAllBoards(database())
  const rows = boards.flatMap(({ board }) => board.rows)
  const names = [...new Set(rows.flatMap((row) => nameOf(kind, row) ?? []))].sort()
  return names.map((name) => {
    const own = rows.filter((row) => nameOf(kind, row) === name)
    const suites = new Set(own.map(({ suiteId }) => suiteId)).size
    const episodes = own.reduce((sum, { success }) => sum + success.attempts, 0)
    return { name, entries: own.length, suites, episodes }
  })
}

/** Lists the ids, including earlier ones, of the rows of a suite and an agent; null = any. */
export async function listBoardRowIds(
  suiteId: string | null,
  agent: string | null,
): Promise<string[]> {
  const boards = await listAllBoards(database())
  return boards
    .filter(({ board }) => suiteId === null || board.suite.suiteId === suiteId)
    .flatMap(({ board }) => board.rows)
    .filter(({ subject }) => agent === null || subject.name === agent)
    .flatMap(({ rowId, aliases = [] }) => [rowId, ...aliases])
}

function nameOf(kind: NamedKind, { subject }: BoardRow): string | null {
  return kind === 'agent' ? subject.name : subject.modelRequested
}
