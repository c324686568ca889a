import {
  type Board,
  type BoardFrame,
  type CopiesByPart,
  findCopies,
  IncrementalBoard,
  type LedgerBook,
  LedgerReader,
  type PlannedRun,
  receiveEpisodes,
  receiveFacts,
  receiveRuns,
} from '../domain/board/index.ts'
import type { Digest } from '../domain/digest/index.ts'
import type { RegradeLine } from '../domain/record/index.ts'
import type { Suite } from '../domain/tasks/index.ts'
import { env } from '../env.ts'
import { createLog } from '../log.ts'
import { type SavedBoard, saveBoard } from './board-store.ts'
import { CachedFacts } from './cached-facts.ts'
import type { Db, DbOrTx } from './db.ts'
import { deriveEarlierFacts } from './derive-facts.ts'
import {
  copyPendingFacts,
  listAllParts,
  listMarkedFacts,
  listPartsAfter,
  listPartsWith,
  listSharedMarks,
} from './fact-store.ts'
import { listLedger } from './ledger-store.ts'
import { copyRegrades, countRegrades, listRegradesOfRuns } from './regrade-store.ts'
import { findRunsOfSuite, listRunsOfSuite } from './run-store.ts'
import { listMeasuredVersions } from './suite-store.ts'

const log = createLog('board')

/**
 * Boards of one process, cached between refreshes: the first refresh builds all parts of a board, later ones only parts
 * that changed. A failed refresh drops the suite's cache.
 */
export class CachedBoards {
  readonly #suites = new Map<string, { suite: Suite; cached: CachedBoard }>()
  #isDerived = false

  /** Updates the stored board of one suite version. */
  async refresh(db: Db, suite: Suite, now: Date): Promise<Board> {
    if (!this.#isDerived) {
      await copyPendingFacts(db)
      await deriveEarlierFacts(db)
      this.#isDerived = true
    }
    const known = this.#suites.get(suite.digest)
    // The digest does not cover thresholds and titles.
    const isKnown = known && (known.suite === suite || isSame(known.suite, suite))
    const cached = isKnown ? known.cached : new CachedBoard(suite)
    this.#suites.delete(suite.digest)
    const board = await cached.refresh(db, now)
    this.#suites.set(suite.digest, { suite, cached })
    return board
  }
}

function isSame(one: Suite, other: Suite): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * Rows may depend on other rows, which do not depend on them in turn: one more round settles that. The limit is never
 * reached.
 */
const MAX_ROUNDS = 10

const NO_REGRADES: ReadonlyMap<string, RegradeLine[]> = new Map()
const NO_COPIES: CopiesByPart = new Map()

class CachedBoard {
  readonly #suite: Suite
  readonly #facts: CachedFacts
  readonly #keeper = new IncrementalBoard()
  readonly #ledger = new LedgerReader()
  /** Runs by id. */
  readonly #runs = new Map<string, PlannedRun>()
  readonly #marks = new Set<string>()
  #sequence = 0
  #book: LedgerBook = this.#ledger.read([])
  #received: readonly PlannedRun[] = []
  #regrades: ReadonlyMap<string, number> = new Map()
  #seen = 0
  #last: { board: Board; saved: SavedBoard } | null = null

  constructor(suite: Suite) {
    this.#suite = suite
    this.#facts = new CachedFacts(suite.digest)
  }

  /** Reads only what is new, and builds and stores only what changes because of it. */
  async refresh(db: Db, now: Date): Promise<Board> {
    if (this.#last === null) await copyRegrades(db, env().runsDir)
    const positions = await readBoardPositions(db, this.#suite.digest)
    // The ledger is read first: an episode that arrives meanwhile requests the board again.
    const touched = await this.#readLedger(db, positions)
    if (positions.hasPending) await copyPendingFacts(db)
    const added = await this.#readNewParts(db, positions)
    await this.#readRuns(db, touched)
    touched.push(...(await this.#readRegrades(db, positions)))
    const dirty = new Set([...added.parts, ...(await this.#partsOf(db, touched))])
    this.#seen = added.last
    const isStored =
      positions.digest === this.#last?.saved.digest && positions.storedSequence === this.#sequence
    if (this.#last && isStored && dirty.size === 0 && !added.hasShared) return this.#last.board
    const frame = this.#frame()
    const copies = await this.#findCopies(db, frame)
    await this.#settle(db, { frame, copies, dirty })
    const { board, texts } = this.#keeper.build(frame)
    const before = this.#last?.saved ?? null
    const saving = { ledgerSequence: this.#sequence, now, texts, before }
    this.#last = { board, saved: await saveBoard(db, board, saving) }
    return board
  }

  /** Builds the dirty parts, then the parts that depend on them. */
  async #settle(
    db: Db,
    { frame, copies, dirty }: { frame: BoardFrame; copies: CopiesByPart; dirty: Iterable<string> },
  ): Promise<void> {
    let parts = [...dirty]
    for (let round = 0; round < MAX_ROUNDS; round++) {
      for (const part of parts) await this.#put(db, part, frame, copies)
      parts = this.#keeper.listOutdated(frame, copies)
      if (parts.length === 0) return
    }
    throw new Error('the rows of a board do not agree about what they take from each other')
  }

  async #put(db: Db, part: string, frame: BoardFrame, copies: CopiesByPart): Promise<void> {
    // While a whole board is built, caching one part would only evict another.
    const { facts, evaluations } = await this.#facts.read(db, part, { isKept: this.#last !== null })
    const runs = facts.runIds.filter((id) => this.#regrades.has(id))
    const regrades = runs.length === 0 ? NO_REGRADES : await listRegradesOfRuns(db, runs)
    const received = receiveFacts({ facts, evaluations, regrades }, this.#book)
    this.#keeper.put(part, frame, { ...received, summaries: facts.summaries }, copies)
  }

  #frame(): BoardFrame {
    const { ledger, registrations } = this.#book
    return { suite: this.#suite, runs: this.#received, ledger, registrations }
  }

  /** Reads new ledger entries; returns the ids of the runs, episodes and rows they concern. */
  async #readLedger(db: Db, { ledgerSequence }: BoardPositions): Promise<string[]> {
    if (ledgerSequence === this.#sequence) return []
    const added = await listLedger(db, this.#sequence)
    this.#sequence = added.at(-1)?.sequence ?? this.#sequence
    this.#book = this.#ledger.read(added)
    // A seal only repeats stored episodes.
    return added.flatMap(({ action }) => (action.kind === 'seal-run' ? [] : [action.target]))
  }

  /**
   * Returns the parts with new facts, the number of the last fact, and whether another episode shares a mark with them.
   */
  async #readNewParts(db: Db, { hasPending, lastFact }: BoardPositions) {
    const [{ digest }, after] = [this.#suite, this.#seen]
    if (after > 0 && !hasPending && lastFact === after)
      return { parts: [], last: after, hasShared: false }
    const found = await (after === 0 ? listAllParts(db, digest) : listPartsAfter(db, digest, after))
    const shared = await listSharedMarks(db, after)
    for (const mark of shared) this.#marks.add(mark)
    return { ...found, hasShared: shared.length > 0 }
  }

  /** Reads new runs. A run is stored before the ledger includes it, and neither it nor its plan ever changes. */
  async #readRuns(db: Db, touched: readonly string[]): Promise<void> {
    if (this.#last !== null && touched.length === 0) return
    const { digest } = this.#suite
    const runIds = touched.filter((id) => id.startsWith('run_'))
    const added = runIds.filter((id) => !this.#runs.has(id))
    const found =
      this.#last === null
        ? await listRunsOfSuite(db, digest)
        : await findRunsOfSuite(db, digest, added)
    for (const { runId, plan } of found) this.#runs.set(runId, { runId, plan })
    // The ledger changes the state of a known run.
    this.#received =
      this.#last !== null && added.length === runIds.length
        ? [...this.#received, ...receiveRuns(found, this.#book)]
        : receiveRuns([...this.#runs.values()], this.#book)
  }

  /** Returns the ids of runs with new regrades. */
  async #readRegrades(db: Db, { regrades }: BoardPositions): Promise<string[]> {
    const before = this.#regrades
    if (regrades === sumOf(before)) return []
    const counts = await countRegrades(db)
    this.#regrades = counts
    return [...counts.keys()].filter((runId) => counts.get(runId) !== before.get(runId))
  }

  async #partsOf(db: Db, touched: readonly string[]): Promise<string[]> {
    // On the first refresh every part is dirty anyway.
    if (this.#last === null || touched.length === 0) return []
    const rows = touched.flatMap((id) => this.#keeper.findPart(id) ?? [])
    return [...rows, ...(await listPartsWith(db, this.#suite.digest, touched))]
  }

  /** Looks for copies among the few episodes that share a mark with another. */
  async #findCopies(db: Db, { runs }: BoardFrame): Promise<CopiesByPart> {
    if (this.#marks.size === 0) return NO_COPIES
    const marked = await listMarkedFacts(db, this.#suite.digest, [...this.#marks])
    const parts = new Map(marked.map(({ part, fact }) => [fact.episodeId, part]))
    const facts = marked.map(({ fact }) => fact)
    const { facts: received } = receiveEpisodes(
      { facts, evaluations: [], regrades: new Map() },
      this.#book,
    )
    const copies = new Map<string, Map<string, string>>()
    for (const [episodeId, from] of findCopies(received, runs)) {
      const part = parts.get(episodeId) ?? ''
      const own = copies.get(part) ?? new Map<string, string>()
      copies.set(part, own.set(episodeId, from))
    }
    return copies
  }
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

/** Returns a builder that updates the boards of a suite's measured versions from the previous refresh's cache. */
export function cachingBuilder(db: Db): (suiteId: string) => Promise<void> {
  const boards = new CachedBoards()
  return async (suiteId) => {
    for (const suite of await listMeasuredVersions(db, suiteId)) {
      const board = await boards.refresh(db, suite, new Date())
      log.debug('board computed', { suiteId, digest: suite.digest, rows: board.rows.length })
    }
  }
}

/** Positions of the tables that a board is built from. A table whose position is unchanged is not read again. */
type BoardPositions = {
  /** Sequence of the last ledger entry; 0 = the ledger is empty. */
  ledgerSequence: number
  /** True while facts of new episodes are waiting to be copied. */
  hasPending: boolean
  /** The highest fact number; 0 = there are no facts. */
  lastFact: number
  /** Number of regrades, which only grows. */
  regrades: number
  /** Digest of the stored board and the ledger entry it includes; null = none is stored. */
  digest: string | null
  storedSequence: number | null
}

/** Reads all positions in one statement: the client spends more time on a statement than the database does. */
async function readBoardPositions(db: DbOrTx, suiteDigest: Digest): Promise<BoardPositions> {
  const [row] = await db.$queryRaw<[Row]>`
    SELECT
      (SELECT MAX("sequence") FROM "LedgerEntry") AS "ledger",
      EXISTS (SELECT 1 FROM "PendingFact") AS "pending",
      (SELECT MAX("number") FROM "Fact") AS "fact",
      (SELECT COUNT(*) FROM "Regrade") AS "regrades",
      (SELECT "digest" FROM "BoardSnapshot" WHERE "suiteDigest" = ${suiteDigest}) AS "digest",
      (SELECT "ledgerSequence" FROM "BoardSnapshot" WHERE "suiteDigest" = ${suiteDigest}) AS "stored"`
  return {
    ledgerSequence: Number(row.ledger ?? 0),
    hasPending: Boolean(row.pending),
    lastFact: Number(row.fact ?? 0),
    regrades: Number(row.regrades),
    digest: row.digest,
    storedSequence: row.stored === null ? null : Number(row.stored),
  }
}

type Count = bigint | number
type Row = {
  ledger: Count | null
  pending: Count | boolean
  fact: Count | null
  regrades: Count
  digest: string | null
  stored: Count | null
}
