import { rmSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { findBoard } from '../../db/board-store.ts'
import { listEvaluationsOf } from '../../db/evaluation-store.ts'
import { findSuite } from '../../db/suite-store.ts'
import type { BoardRow } from '../../domain/board/index.ts'
import type { Evaluation } from '../../domain/record/index.ts'
import { settleEnv } from '../../env.ts'
import { forgeRunArchive, makeRealRun, type RealRun, VERIFY_MS } from '../corpora/real-run.ts'
import { submitBody } from '../corpora/submit-body.ts'
import { temporarySuite } from '../factories/proofboard-command.ts'
import { startRealWorker, startWorkerHere, waitUntilTrue } from '../factories/real-queue.ts'
import { type TemporaryDatabase, temporaryDatabase } from '../factories/temporary-database.ts'

type EvaluatingWorker = { stop: () => Promise<unknown>; kill?: () => Promise<unknown> }

function startProcess(dir: string): EvaluatingWorker {
  const { child, ended } = startRealWorker(dir)
  const end = (name: NodeJS.Signals) => {
    child.kill(name)
    return ended
  }
  return { stop: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

/** A board whose worker evaluates uploads of other senders, and a real run as their source. */
export class EvaluatingBoard {
  private constructor(
    readonly run: RealRun,
    readonly board: TemporaryDatabase,
    private worker: EvaluatingWorker,
  ) {}

  /** `isHere`: the worker runs in this process and cannot be killed. */
  static async start({ isHere = false } = {}): Promise<EvaluatingBoard> {
    const run = await makeRealRun()
    const board = await temporaryDatabase({ waitMs: 20_000 })
    temporarySuite(board.dir, 'small', ['lru-cache'], VERIFY_MS)
    vi.stubEnv('PROOFBOARD_DATA_DIR', board.dir)
    vi.stubEnv('PROOFBOARD_FIRST_RUNS', '0')
    vi.stubEnv('PROOFBOARD_LOG_LEVEL', 'error')
    settleEnv(process.cwd())
    const worker = isHere ? startWorkerHere(board.db) : startProcess(board.dir)
    const isKnown = async () => (await findSuite(board.db, 'small')) !== null
    await waitUntilTrue('the suite is known', isKnown, 120_000)
    return new EvaluatingBoard(run, board, worker)
  }

  /** Uploads a forged run with a token and waits for the evaluation of each of its episodes. */
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

  /** Kills the worker as by `kill -9`. */
  async killWorker(): Promise<void> {
    await this.worker.kill?.()
  }

  startWorker(): void {
    this.worker = startProcess(this.board.dir)
  }

  async close(): Promise<void> {
    await this.worker.stop()
    vi.unstubAllEnvs()
    await this.board.close()
    rmSync(this.run.dataDir, { recursive: true, force: true })
  }
}
