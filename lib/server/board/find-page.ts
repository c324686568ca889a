import { hasRow } from '../../db/board-store.ts'
import { database } from '../../db/database.ts'
import { hasEpisode } from '../../db/episode-store.ts'
import { hasRun } from '../../db/run-store.ts'
import { rowPath } from '../../domain/board/index.ts'
import { comparePath, parseRowIds } from '../../domain/compare/index.ts'
import { AXIS_SLUGS, METHODOLOGY_SLUGS } from '../../domain/reports/index.ts'
import { decodeParam } from '../../domain/text/index.ts'
import { getBoard, getHistory } from './board.ts'
import { currentAddress, namesRows } from './current-address.ts'
import { listPageNames } from './named-rows.ts'
import { requestedSuite } from './nearest-pages.ts'
import { getRow } from './rows.ts'
import { defaultSuite, getTask, listSuiteSummaries, listSuiteTitles } from './suites.ts'

/** Result of a lookup: a page, another address, or nothing that is stored here. */
export type FoundPage = { kind: 'page' } | { kind: 'moved'; to: string } | { kind: 'missing' }

type Address = { pathname: string; searchParams: URLSearchParams }

/** Looks up what a URL names before its page is rendered: redirect and status precede the first byte. */
export async function findPage({ pathname, searchParams }: Address): Promise<FoundPage> {
  const moved = await findNewAddress(pathname, searchParams)
  if (moved !== null) return { kind: 'moved', to: moved }
  const suite = requestedSuite(`${pathname}?${searchParams}`)
  // The page explains a version that is not stored here.
  const isSuiteMissing =
    suite !== null && !searchParams.has('version') && !(await listSuiteTitles()).has(suite)
  if (isSuiteMissing || !(await isStored(pathname, searchParams))) return { kind: 'missing' }
  return { kind: 'page' }
}

/** Returns the URL to redirect to; null = none. */
async function findNewAddress(pathname: string, query: URLSearchParams): Promise<string | null> {
  if (pathname === '/compare') {
    const rows = query.getAll('rows')
    // A form sends one parameter for each row.
    return rows.length > 1 ? comparePath(parseRowIds(rows)) : null
  }
  if (pathname === '/' && namesRows(query)) {
    const suiteId = query.get('suite') ?? defaultSuite(await listSuiteSummaries())
    const board = suiteId === null ? null : await getBoard(suiteId, query.get('version'))
    return currentAddress(query, board?.rows ?? [])
  }
  const rowId = /^\/rows\/([^/]+)$/.exec(pathname)?.[1]
  const found = rowId === undefined ? null : await getRow(decodeParam(rowId))
  if (found === null) return null
  const { row, suite, isCurrent } = found
  return rowPath(row.suiteId, row.rowId, isCurrent ? null : suite.digest)
}

/** Returns whether the item that a path names is stored here; true for a path that names none. */
async function isStored(pathname: string, query: URLSearchParams): Promise<boolean> {
  const [room = '', name = '', sub, task] = pathname.split('/').slice(1).map(decodeParam)
  if (room === 'history') return isHistoryStored(query)
  if (name === '') return true
  if (room === 'agents') return (await listPageNames('agent')).includes(name)
  if (room === 'models') return (await listPageNames('model')).includes(name)
  if (room === 'reports') return AXIS_SLUGS.some((slug) => slug === name)
  if (room === 'methodology') return METHODOLOGY_SLUGS.some((slug) => slug === name)
  if (room === 'episodes') return hasEpisode(database(), name)
  if (room === 'runs') return hasRun(database(), name)
  if (room === 'rows') return hasRow(database(), name)
  if (room !== 'suites') return true
  if (sub === 'tasks' && task) return (await getTask(name, task)) !== null
  return (await listSuiteTitles()).has(name)
}

async function isHistoryStored(query: URLSearchParams): Promise<boolean> {
  const name = query.get('subject') ?? ''
  if (name === '') return true
  const history = await getHistory(query.get('suite') ?? '', { name, model: query.get('model') })
  return history !== null && history.rows.length > 0
}
