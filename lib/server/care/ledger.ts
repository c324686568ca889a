import { listRowRanks } from '../../db/board-store.ts'
import { type Db, database } from '../../db/database.ts'
import {
  countLedger,
  findLastOfAll,
  findLink,
  readLedgerPage,
  readLedgerPiece,
} from '../../db/ledger-store.ts'
import { parsePlan } from '../../db/plan-store.ts'
import { readLedgerRows } from '../../db/read-stored.ts'
import { parseShard, saveRun } from '../../db/run-store.ts'
import type { LedgerFilter, LedgerView } from '../../domain/api/index.ts'
import { streamLedger } from '../../domain/archive/index.ts'
import {
  describeHead,
  findBrokenLink,
  findChangedEntry,
  type LedgerEntry,
  type LedgerKey,
  type SignedHead,
  targetKind,
} from '../../domain/ledger/index.ts'
import { env } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { checkChain, forgetChain } from './check-chain.ts'
import { ledgerKey, signHead } from './ledger-heads.ts'
import { parseLedgerRows } from './parse-rows.ts'
import { readUtf8File } from './read-utf8-file.ts'
import { withServerDatabase } from './with-server-database.ts'
import { withStoredFile } from './with-stored-file.ts'

const PAGE_SIZE = 50

/**
 * Returns one page of the ledger, newest first, and whether the chain is intact. A page beyond the last is the last.
 * The hashes of shown entries are checked each time; see `checkChain` for the chain.
 */
export async function getLedger(
  { kind, target, page }: LedgerFilter,
  now = new Date(),
): Promise<LedgerView> {
  const db = database()
  const chain = await checkChain(db, now)
  const selection = { kind, target: target === '' ? null : target }
  const matching = await countLedger(db, selection)
  const pages = Math.max(1, Math.ceil(matching / PAGE_SIZE))
  const shown = Math.min(Math.max(1, page), pages)
  const place = { skip: (shown - 1) * PAGE_SIZE, take: PAGE_SIZE }
  const { entries, damaged } = await readLedgerPage(db, { ...selection, ...place })
  const broken = chain.broken ?? damaged ?? findChangedEntry(entries)
  const targets = entries.map(({ action }) => action.target)
  return {
    entries,
    matching,
    total: await countLedger(db, { kind: null, target: null }),
    page: shown,
    pages,
    head: await findLink(db),
    holds: broken === null,
    broken,
    checkedAt: chain.wholeAt.toISOString(),
    rows: await listRowRanks(
      db,
      targets.filter((one) => targetKind(one) === 'row'),
    ),
  }
}

type LedgerPage = {
  /** Oldest first, up to the first that cannot be read. */
  entries: LedgerEntry[]
  /** The last hash of the whole ledger; null = it is empty. */
  head: string | null
  holds: boolean
  /** One sentence about where the chain breaks; null = it is intact. */
  broken: string | null
}

/**
 * Returns the next `limit` entries after a sequence, and whether the chain is intact. The hashes of these entries are
 * checked each time; see `checkChain` for the chain.
 */
export async function listLedgerAfter(
  place: { after: number; limit: number },
  now = new Date(),
): Promise<LedgerPage> {
  const db = database()
  const chain = await checkChain(db, now)
  const { entries, damaged } = await readLedgerPiece(db, place)
  const [first, ...rest] = entries
  const changed = first ? (findChangedEntry([first]) ?? findBrokenLink(rest, first)?.problem) : null
  const broken = chain.broken ?? damaged ?? changed ?? null
  const head = (await findLink(db))?.hash ?? null
  return { entries, head, holds: broken === null, broken }
}

/** Entries per read: the file is sent meanwhile, and other requests are served. */
const FILE_PIECE = 500

type LedgerFile = {
  /** The hash of its last entry; null = the ledger is empty. */
  head: string | null
  /**
   * Opens the file, whose bytes are read while they are sent. Throws an AppError at the start when an entry cannot be
   * read.
   */
  open: () => Promise<AsyncIterable<string>>
}

/** Opens the ledger up to its current last entry, as the file for `ledger verify --from`. */
export async function openLedgerFile(now = new Date()): Promise<LedgerFile> {
  const db = database()
  const last = await findLink(db)
  const head = last?.hash ?? null
  const open = async () => {
    const { damaged } = await checkChain(db, now)
    if (damaged !== null) throw new AppError('database-unusable', damaged)
    const pieces = readPieces(db, last?.sequence ?? 0)
    // Read before anything is sent, so that an error can still be reported.
    const first = await pieces.next()
    return streamLedger(startingWith(first.done ? [] : first.value, pieces), head)
  }
  return { head, open }
}

/**
 * Reads the ledger in pieces. Throws for an entry that cannot be read, which aborts the response: a truncated file
 * would look complete.
 */
async function* readPieces(db: Db, until: number): AsyncGenerator<LedgerEntry[]> {
  for (let after = 0; after < until; ) {
    const { entries, damaged } = await readLedgerPiece(db, { after, until, limit: FILE_PIECE })
    if (damaged !== null) {
      forgetChain(db)
      throw new AppError('database-unusable', damaged)
    }
    const last = entries.at(-1)
    if (last === undefined) return
    after = last.sequence
    yield entries
  }
}

async function* startingWith<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}

/** Returns the ledger's head, signed; null = the ledger is empty. The same ledger gives the same bytes. */
export async function getHead(): Promise<SignedHead | null> {
  const last = await findLastOfAll(database())
  return last && signHead(describeHead(last, null), env().dataDir)
}

/**
 * Returns the signed head without opening the database for writing, for a command beside a running server. Throws an
 * AppError.
 */
export async function readCurrentHead(): Promise<SignedHead | null> {
  const last = (await listLedgerEntries()).at(-1)
  return last ? signHead(describeHead(last, null), env().dataDir) : null
}

/** Returns the public half of the key that this server signs with. */
export function getLedgerKey(): LedgerKey {
  return ledgerKey(env().dataDir)
}

/** Lists this server's ledger, oldest first, without changing the database; `target` narrows it. Throws an AppError. */
export async function listLedgerEntries(target?: string): Promise<LedgerEntry[]> {
  const { dataDir, migrationsDir } = env()
  const rows = await withStoredFile(dataDir, (file) => readLedgerRows(file, migrationsDir))
  const { entries, flaws } = parseLedgerRows(rows)
  if (flaws[0]) {
    const message = `${flaws[0].place}: ${flaws[0].problem}; see proofboard server ledger verify`
    throw new AppError('conflict', message)
  }
  return entries.filter(({ action }) => target === undefined || action.target === target)
}

type Options = {
  /** The file of the frozen plan. */
  planPath: string
  runId: string
  /** `i/n`; null = the whole plan. */
  shard: string | null
}

/** Registers a run that the command line is about to start in this server's data folder. Throws an AppError. */
export async function registerRun({ planPath, runId, shard }: Options): Promise<void> {
  const plan = parsePlan(readJson(planPath))
  const part = parseShard(shard) ?? undefined
  const origin = { provenance: 'local' as const, registeredBy: 'command line', jobId: null }
  await withServerDatabase(() =>
    saveRun(database(), { runId, plan, shard: part, ...origin }, new Date()),
  )
}

function readJson(path: string): unknown {
  const text = readUtf8File(path)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('invalid-request', `${path} is not JSON`, { cause })
  }
}
