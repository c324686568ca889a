import {
  type Board,
  type BoardFrame,
  type BoardTexts,
  type CopiesByPart,
  findCopies,
  IncrementalBoard,
  type LedgerBook,
  type PlannedRun,
  readBook,
  receiveEpisodes,
  receiveFacts,
  receiveRuns,
} from '../domain/board/index.ts'
import type { LedgerEntry } from '../domain/ledger/index.ts'
import type { RegradeLine } from '../domain/record/index.ts'
import type { Suite } from '../domain/tasks/index.ts'
import { env } from '../env.ts'
import { createLog } from '../log.ts'
import { type SavedBoard, saveBoard } from './board-store.ts'
import { CachedFacts } from './cached-facts.ts'
import {
  copyPendingFacts,
  lastFactNumber,
  listMarkedFacts,
  listPartsAfter,
  listPartsWith,
  listSharedMarks,
} from './fact-store.ts'
import { listLedger } from './ledger-store.ts'
import type { Db } from './open-db.ts'
import { copyRegrades, countRegrades, listRegradesOfRuns } from './regrade-store.ts'
import { findRunsOfSuite, listRunsOfSuite } from './run-store.ts'
import { listPlayedVersions } from './suite-store.ts'

const log = createLog('board')

/**
 * The boards of one process, cached between refreshes: the first time all parts of a board are built, afterwards
 * those that changed. The cache of a suite is dropped when a refresh fails.
 */
export class CachedBoards {
  readonly #suites = new Map<string, { version: string; cached: CachedBoard; saved: SavedBoard }>()

  /** Brings the stored board of one version of a suite up to date. */
  async refresh(db: Db, suite: Suite, now: Date): Promise<Board> {
    // The digest does not cover thresholds and titles.
    const version = JSON.stringify(suite)
    const known = this.#suites.get(suite.digest)
    const cached = known?.version === version ? known.cached : new CachedBoard(suite)
    this.#suites.delete(suite.digest)
    const { board, texts, ledgerSequence } = await cached.refresh(db)
    const before = known?.saved ?? null
    const saved = await saveBoard(db, board, { ledgerSequence, now, texts, before })
    this.#suites.set(suite.digest, { version, cached, saved })
    return board
  }
}

/** A row may take from others what they in turn do not take back: one more round settles it, and this many never fail. */
const MOST_ROUNDS = 10

const NO_REGRADES: ReadonlyMap<string, RegradeLine[]> = new Map()

class CachedBoard {
  readonly #suite: Suite
  readonly #facts: CachedFacts
  readonly #keeper = new IncrementalBoard()
  /** By id. */
  readonly #runs = new Map<string, PlannedRun>()
  readonly #marks = new Set<string>()
  #entries: LedgerEntry[] = []
  #book: LedgerBook = readBook([])
  #regrades: ReadonlyMap<string, number> = new Map()
  #seen = 0

  constructor(suite: Suite) {
    this.#suite = suite
    this.#facts = new CachedFacts(suite.digest)
  }

  async refresh(db: Db): Promise<{ board: Board; texts: BoardTexts; ledgerSequence: number }> {
    // The ledger first: an episode that arrives meanwhile requests the board again.
    const dirty = new Set<string>()
    const touched = await this.#readLedger(db)
    await copyPendingFacts(db)
    const last = await lastFactNumber(db)
    await this.#readRuns(db, touched)
    touched.push(...(await this.#readRegrades(db)))
    for (const part of await listPartsAfter(db, this.#suite.digest, this.#seen)) dirty.add(part)
    for (const part of await this.#partsOf(db, touched)) dirty.add(part)
    const frame = this.#frame()
    const copies = await this.#findCopies(db, frame)
    await this.#settle(db, { frame, copies, dirty })
    this.#seen = last
    return { ...this.#keeper.build(frame), ledgerSequence: this.#entries.at(-1)?.sequence ?? 0 }
  }

  /** Builds what is dirty, and then what took something from it. */
  async #settle(
    db: Db,
    { frame, copies, dirty }: { frame: BoardFrame; copies: CopiesByPart; dirty: Iterable<string> },
  ): Promise<void> {
    let parts = [...dirty]
    for (let round = 0; round < MOST_ROUNDS; round++) {
      for (const part of parts) await this.#put(db, part, frame, copies)
      parts = this.#keeper.listOutdated(frame, copies)
      if (parts.length === 0) return
    }
    throw new Error('the rows of a board do not agree about what they take from each other')
  }

  async #put(db: Db, part: string, frame: BoardFrame, copies: CopiesByPart): Promise<void> {
    // While a whole board is built, keeping one part would only push out another.
    const { facts, evaluations } = await this.#facts.read(db, part, { isKept: this.#seen > 0 })
    const runs = facts.runIds.filter((id) => this.#regrades.has(id))
    const regrades = runs.length === 0 ? NO_REGRADES : await listRegradesOfRuns(db, runs)
    const received = receiveFacts({ facts, evaluations, regrades }, this.#book)
    this.#keeper.put(part, frame, received, copies)
  }

  #frame(): BoardFrame {
    const { ledger, registrations } = this.#book
    return {
      suite: this.#suite,
      runs: receiveRuns([...this.#runs.values()], this.#book),
      ledger,
      registrations,
    }
  }

  /** Reads what is new in the ledger; answers the runs, episodes and rows that it is about. */
  async #readLedger(db: Db): Promise<string[]> {
    const added = await listLedger(db, this.#entries.at(-1)?.sequence ?? 0)
    if (added.length === 0) return []
    this.#entries = [...this.#entries, ...added]
    this.#book = readBook(this.#entries)
    // A seal repeats what is stored.
    return added.flatMap(({ action }) => (action.kind === 'seal-run' ? [] : [action.target]))
  }

  /** A run is stored before the ledger includes it, and neither it nor its plan ever changes. */
  async #readRuns(db: Db, touched: readonly string[]): Promise<void> {
    const { digest } = this.#suite
    const added = touched.filter((id) => id.startsWith('run_') && !this.#runs.has(id))
    const found =
      this.#seen === 0
        ? await listRunsOfSuite(db, digest)
        : await findRunsOfSuite(db, digest, added)
    for (const { runId, plan } of found) this.#runs.set(runId, { runId, plan })
  }

  /** Answers the runs with new regrades. */
  async #readRegrades(db: Db): Promise<string[]> {
    await copyRegrades(db, env().runsDir)
    const counts = await countRegrades(db)
    const before = this.#regrades
    this.#regrades = counts
    return [...counts.keys()].filter((runId) => counts.get(runId) !== before.get(runId))
  }

  async #partsOf(db: Db, touched: readonly string[]): Promise<string[]> {
    // The first time every part is dirty anyway.
    if (this.#seen === 0 || touched.length === 0) return []
    const rows = touched.flatMap((id) => this.#keeper.findPart(id) ?? [])
    return [...rows, ...(await listPartsWith(db, this.#suite.digest, touched))]
  }

  /** Copies are looked for among the few episodes that share a mark with another. */
  async #findCopies(db: Db, { runs }: BoardFrame): Promise<CopiesByPart> {
    for (const mark of await listSharedMarks(db, this.#seen)) this.#marks.add(mark)
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

/** Updates the boards of a suite's versions with results, from the cache of the last time. */
export function cachingBuilder(db: Db): (suiteId: string) => Promise<void> {
  const boards = new CachedBoards()
  return async (suiteId) => {
    for (const suite of await listPlayedVersions(db, suiteId)) {
      const board = await boards.refresh(db, suite, new Date())
      log.debug('board computed', { suiteId, digest: suite.digest, rows: board.rows.length })
    }
  }
}
