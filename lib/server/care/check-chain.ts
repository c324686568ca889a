import type { Db } from '../../db/db.ts'
import { findLink, readLedgerPiece } from '../../db/ledger-store.ts'
import { findBrokenLink, type LedgerEntry } from '../../domain/ledger/index.ts'
import { processWide } from '../../process-wide.ts'

const WHOLE_EVERY_MS = 10 * 60_000
/** Entries per read: other requests are served in between. */
const PIECE = 1000

type ChainCheck = {
  /** The last entry that was compared; null = the ledger is empty. */
  last: LedgerEntry | null
  /** One sentence about where the chain breaks; null = it is intact. */
  broken: string | null
  /** One sentence about the entry that cannot be read; null = all can. */
  damaged: string | null
  /** When the whole chain was read. */
  wholeAt: Date
}

const known = processWide('checked chains', () => new WeakMap<Db, ChainCheck>())
const underWay = processWide('chains being checked', () => new WeakMap<Db, Promise<ChainCheck>>())

/**
 * Checks the hash chain. Reads the whole chain every ten minutes and while it is broken, in between only new entries,
 * so that a page costs the same with any number of entries. Concurrent requests share one read.
 */
export function checkChain(db: Db, now: Date): Promise<ChainCheck> {
  const running = underWay.get(db)
  if (running) return running
  const check = checkNow(db, now).finally(() => underWay.delete(db))
  underWay.set(db, check)
  return check
}

/** Makes the next check read the whole chain, after a reader found a problem. */
export function forgetChain(db: Db): void {
  known.delete(db)
}

async function checkNow(db: Db, now: Date): Promise<ChainCheck> {
  const before = await reusable(db, now)
  const check = {
    ...(await followChain(db, before?.last ?? null)),
    wholeAt: before?.wholeAt ?? now,
  }
  known.set(db, check)
  return check
}

/** Returns the previous check, if it is recent and the ledger still has the entry where it ended. */
async function reusable(db: Db, now: Date): Promise<ChainCheck | null> {
  const check = known.get(db)
  if (!check?.last || check.broken !== null) return null
  const age = now.getTime() - check.wholeAt.getTime()
  if (age < 0 || age >= WHOLE_EVERY_MS) return null
  const link = await findLink(db, check.last.sequence)
  return link?.hash === check.last.hash ? check : null
}

async function followChain(db: Db, from: LedgerEntry | null): Promise<Omit<ChainCheck, 'wholeAt'>> {
  let last = from
  for (;;) {
    const piece = await readLedgerPiece(db, { after: last?.sequence ?? 0, limit: PIECE })
    const { damaged } = piece
    const broken = findBrokenLink(piece.entries, last)?.problem ?? damaged
    last = piece.entries.at(-1) ?? last
    if (broken !== null || piece.entries.length < PIECE) return { last, broken, damaged }
  }
}
