import { database } from '../../db/database.ts'
import { type LedgerScope, listNewestEntries } from '../../db/ledger-store.ts'
import { changeKey, type RowChange } from '../../domain/board/index.ts'
import {
  changeItem,
  type FEED_KINDS,
  type FeedItem,
  ledgerItem,
} from '../../domain/formats/index.ts'
import { unknownName } from '../../domain/text/index.ts'
import { AppError } from '../../errors.ts'
import { listBoardRowIds, listPageNames } from './named-rows.ts'
import { listRowChanges } from './row-changes.ts'
import { listSuiteSummaries } from './suites.ts'

export type FeedQuery = {
  kind?: (typeof FEED_KINDS)[number] | undefined
  suite?: string | undefined
  agent?: string | undefined
  limit: number
  /** Continues after this change and before this ledger entry; null = starts with the newest. */
  after: FeedPlace | null
}

/** Key of the last change and sequence of the last ledger entry shown; '' = none yet. */
type FeedPlace = readonly [change: string, sequence: string]

type FeedPage = { items: FeedItem[]; last: FeedPlace | null }

/**
 * Returns one page of ledger entries and significant changes, newest first. Throws not-found for an unknown suite or
 * agent.
 */
export async function getFeedPage(query: FeedQuery): Promise<FeedPage> {
  const { kind, suite = null, agent = null, limit, after } = query
  await requireNames(suite, agent)
  const [shownChange = '', shownEntry = ''] = after ?? []
  const changes = kind === 'ledger' ? [] : await listChangesOf(suite, agent, shownChange)
  const entries = kind === 'changes' ? [] : await listEntries(suite, agent, shownEntry, limit + 1)
  const merged = mergeByTime(changes, entries)
  const page = merged.slice(0, limit)
  const last: FeedPlace = [
    page.findLast(({ change }) => change !== null)?.change ?? shownChange,
    page.findLast(({ sequence }) => sequence !== null)?.sequence ?? shownEntry,
  ]
  return { items: page.map(({ item }) => item), last: merged.length > limit ? last : null }
}

async function requireNames(suite: string | null, agent: string | null): Promise<void> {
  const suites = (await listSuiteSummaries()).map(({ suiteId }) => suiteId)
  if (suite !== null && !suites.includes(suite))
    throw new AppError('not-found', unknownName('suite', suite, suites))
  if (agent === null) return
  const agents = await listPageNames('agent')
  if (!agents.includes(agent)) throw new AppError('not-found', unknownName('agent', agent, agents))
}

/** An item with its position in its own list. */
type Placed = { item: FeedItem; change: string | null; sequence: string | null }

async function listChangesOf(
  suite: string | null,
  agent: string | null,
  shown: string,
): Promise<Placed[]> {
  const isRequested = ({ after }: RowChange) =>
    (suite === null || after.suiteId === suite) && (agent === null || after.subject.name === agent)
  return (await listRowChanges())
    .filter((change) => isRequested(change) && (shown === '' || changeKey(change) < shown))
    .map((change) => ({ item: changeItem(change), change: changeKey(change), sequence: null }))
}

async function listEntries(
  suite: string | null,
  agent: string | null,
  shown: string,
  limit: number,
): Promise<Placed[]> {
  const before = /^\d{1,9}$/.test(shown) ? Number(shown) : null
  const scope = suite === null && agent === null ? null : await scopeOf(suite, agent)
  const entries = await listNewestEntries(database(), { before, limit, scope })
  return entries.map((entry) => ({
    item: ledgerItem(entry),
    change: null,
    sequence: String(entry.sequence),
  }))
}

async function scopeOf(suite: string | null, agent: string | null): Promise<LedgerScope> {
  return { suiteId: suite, agent, rowIds: await listBoardRowIds(suite, agent) }
}

/** Merges two lists, each newest first; each keeps its own order even if a clock was set back. */
function mergeByTime(changes: readonly Placed[], entries: readonly Placed[]): Placed[] {
  const merged: Placed[] = []
  let [nextChange, nextEntry] = [0, 0]
  while (nextChange < changes.length || nextEntry < entries.length) {
    const [change, entry] = [changes[nextChange], entries[nextEntry]]
    if (change && (!entry || change.item.at >= entry.item.at)) {
      merged.push(change)
      nextChange++
    } else if (entry) {
      merged.push(entry)
      nextEntry++
    }
  }
  return merged
}
