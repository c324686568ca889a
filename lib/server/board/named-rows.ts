import { listAllBoards } from '../../db/board-store.ts'
import { database } from '../../db/database.ts'
import type { Db } from '../../db/db.ts'
import { countOutcomes, listEndings } from '../../db/episode-store.ts'
import { listEpisodeEntries } from '../../db/ledger-store.ts'
import { listSuites } from '../../db/suite-store.ts'
import {
  countNames,
  listNamedRows,
  listNames,
  type NameCount,
  type NamedKind,
  type NamedRow,
  type NamedRows,
  type OutcomeCount,
} from '../../domain/api/index.ts'
import type { Board } from '../../domain/board/index.ts'
import { applyLedger, correctedStatus } from '../../domain/ledger/index.ts'
import { isScored } from '../../domain/record/index.ts'
import { byStamp } from './by-stamp.ts'

/** Lists every row, of any suite and version, of the agent or library of this name, or measured with this model. */
export async function findNamedRows(kind: NamedKind, name: string): Promise<NamedRow[]> {
  const [boards, suites] = await Promise.all([listBoardsHere(), listSuites(database())])
  return listNamedRows(kind, name, boards, suites)
}

/** Returns these rows, and how their episodes ended; null = there are none. */
export async function getNamedRows(kind: NamedKind, name: string): Promise<NamedRows | null> {
  const rows = await findNamedRows(kind, name)
  if (rows.length === 0) return null
  const runIds = new Set(rows.flatMap(({ row }) => row.runIds))
  return { name, rows, outcomes: await countCorrected(database(), [...runIds]) }
}

async function listBoardsHere(): Promise<Board[]> {
  return (await listAllBoards(database())).map(({ board }) => board)
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
  async (kind: NamedKind): Promise<readonly string[]> => listNames(kind, await listBoardsHere()),
)

/** Lists every agent, library and control, or every model, by name. */
export async function listNameCounts(kind: NamedKind): Promise<NameCount[]> {
  return countNames(kind, await listBoardsHere())
}

/** Lists the ids, including earlier ones, of the rows of a suite and an agent; null = any. */
export async function listBoardRowIds(
  suiteId: string | null,
  agent: string | null,
): Promise<string[]> {
  const boards = await listBoardsHere()
  return boards
    .filter(({ suite }) => suiteId === null || suite.suiteId === suiteId)
    .flatMap(({ rows }) => rows)
    .filter(({ subject }) => agent === null || subject.name === agent)
    .flatMap(({ rowId, aliases = [] }) => [rowId, ...aliases])
}
