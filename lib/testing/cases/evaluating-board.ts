import { rmSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { findBoard } from '../../db/board-store.ts'
import { listEvaluationsOf } from '../../db/evaluation-store.ts'
import { findSuite } from '../../db/suite-store.ts'
import type { BoardRow } from '../../domain/board/index.ts'
import type { Evaluation } from '../../domain/record/index.ts'
import { settleEnv } from '../../env.ts'
import { forgeRunArchive, makeRealRun, type RealRun } from '../corpora/real-run.ts'
import { submitBody } from '../corpora/submit-body.ts'
import { temporarySuite } from '../factories/proofboard-command.ts'
import { type RealWorker, startRealWorker, waitUntilTrue } from '../factories/real-queue.ts'
import { type TemporaryDatabase, temporaryDatabase } from '../factories/temporary-database.ts'

/** So long, in CPU time, may a solution that never ends keep the verifier busy. */
export const VERIFY_MS = 5_000

/** A board whose worker evaluates uploads of other senders, and a real run for them to change. */
export class EvaluatingBoard {
  private constructor(
    readonly run: RealRun,
    readonly board: TemporaryDatabase,
    private worker: RealWorker,
  ) {}

  static async start(): Promise<EvaluatingBoard> {
    const run = await makeRealRun(VERIFY_MS)
    const board = await temporaryDatabase({ waitMs: 20_000 })
    temporarySuite(board.dir, 'small', ['lru-cache'], VERIFY_MS)
    vi.stubEnv('PROOFBOARD_DATA_DIR', board.dir)
    settleEnv(process.cwd())
    const worker = startRealWorker(board.dir)
    const isKnown = async () => (await findSuite(board.db, 'small')) !== null
    await waitUntilTrue('the suite is known', isKnown, 120_000)
    return new EvaluatingBoard(run, board, worker)
  }

  /** Sends a forged run by a token and waits for an answer about each of its episodes. */
  async send(forgery: Parameters<typeof forgeRunArchive>[1]): Promise<Evaluation[]> {
    const { zip, episodeIds } = forgeRunArchive(this.run, forgery)
    const done = await submitBody(this.board, zip, { provenance: 'token' })
    expect([done.status, done.preview.items]).toEqual(['committed', expect.anything()])
    return this.answersOf(episodeIds)
  }

  async answersOf(episodeIds: readonly string[]): Promise<Evaluation[]> {
    const { db } = this.board
    const read = () => Promise.all(episodeIds.map((id) => listEvaluationsOf(db, id)))
    const areAll = async () => (await read()).every(({ length }) => length > 0)
    await waitUntilTrue('all are evaluated', areAll, 300_000)
    return (await read()).flat()
  }

  async rowNow(): Promise<BoardRow | undefined> {
    const { db } = this.board
    const suite = await findSuite(db, 'small')
    const found = suite && (await findBoard(db, suite.digest))
    return found?.board.rows[0]
  }

  /** The worker as by `kill -9`. */
  async killWorker(): Promise<void> {
    this.worker.child.kill('SIGKILL')
    await this.worker.ended
  }

  startWorker(): void {
    this.worker = startRealWorker(this.board.dir)
  }

  async close(): Promise<void> {
    this.worker.child.kill('SIGTERM')
    await this.worker.ended
    vi.unstubAllEnvs()
    await this.board.close()
    rmSync(this.run.dataDir, { recursive: true, force: true })
  }
}
