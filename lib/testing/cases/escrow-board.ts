import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { refreshBoard } from '../../db/refresh-board.ts'
import { saveSuite } from '../../db/suite-store.ts'
import type { Actor } from '../../domain/accounts/index.ts'
import { type Board, type BoardRow, serializeBoard } from '../../domain/board/index.ts'
import { digestBytes } from '../../domain/digest/index.ts'
import { senderOfActor } from '../../domain/ledger/index.ts'
import { type Plan, planSchema } from '../../domain/record/index.ts'
import { type Suite, suiteSchema } from '../../domain/tasks/index.ts'
import { settleEnv } from '../../env.ts'
import { AppError } from '../../errors.ts'
import { exportArchive } from '../../server/care/export-archive.ts'
import { rebuild } from '../../server/care/rebuild-archive.ts'
import { registerPlan } from '../../server/ingest/registrations.ts'
import { followEvaluations } from '../../worker/follow-evaluations.ts'
import { packZip, zipFiles } from '../corpora/pack-zip.ts'
import { submitBody } from '../corpora/submit-body.ts'
import { proofboardHere } from '../factories/command-here.ts'
import {
  HARBOR_JOB,
  type JobFiles,
  type MadeJob,
  makeHarborJob,
  writeFiles,
  writeHarborTasks,
} from '../factories/harbor-job.ts'
import { type TemporaryDatabase, temporaryDatabase } from '../factories/temporary-database.ts'

type Sender = { provenance: 'token'; actor: Actor }

/** The sender with this token. */
export function senderOf(id: string): Sender {
  return { provenance: 'token', actor: { kind: 'token', id, name: id, scopes: ['results:write'] } }
}

const SENDER = senderOf('t1')

/** A board with a proven suite in Harbor's format, which receives job folders and evaluates them. */
export class EscrowBoard {
  readonly #board: TemporaryDatabase
  readonly #suite: Suite

  private constructor(board: TemporaryDatabase, suite: Suite) {
    this.#board = board
    this.#suite = suite
  }

  static async start(): Promise<EscrowBoard> {
    const board = await temporaryDatabase({ waitMs: 20_000 })
    const { dir } = board
    vi.stubEnv('PROOFBOARD_DATA_DIR', dir)
    settleEnv(process.cwd())
    const tasks = join(dir, 'greetings')
    mkdirSync(tasks)
    writeHarborTasks(tasks)
    const rehearsal = makeHarborJob({ jobName: 'rehearsal', at: new Date(0) })
    writeFiles(join(dir, 'rehearsal'), rehearsal)
    writeFileSync(join(dir, 'job.json'), JSON.stringify(HARBOR_JOB))
    await command(dir, 'suite', 'verify', tasks)
    await command(dir, 'suite', 'add', tasks)
    const shown = JSON.parse(await command(dir, 'suite', 'show', 'greetings', '--json'))
    const suite = suiteSchema.parse(shown.suite)
    await saveSuite(board.db, suite, new Date())
    return new EscrowBoard(board, suite)
  }

  async close(): Promise<void> {
    vi.unstubAllEnvs()
    await this.#board.close()
  }

  get db(): TemporaryDatabase['db'] {
    return this.#board.db
  }

  get dir(): string {
    return this.#board.dir
  }

  /** Freezes a plan with the command line. Each version of the agent is an entry of its own. */
  async freeze(version: string): Promise<Plan> {
    const { dir } = this.#board
    const [out, job] = [join(dir, `plan-${version}.json`), join(dir, 'job.json')]
    await command(
      dir,
      ...['plan', '--suite', 'greetings', '--escrow', job, '--agent-version', version],
      ...['--rehearsal', join(dir, 'rehearsal'), '--repetitions', '3', '--out', out],
    )
    return planSchema.parse(JSON.parse(readFileSync(out, 'utf8')))
  }

  /** Returns the time of the registration. */
  async register(plan: Plan, runId: string): Promise<Date> {
    const { actor, provenance } = SENDER
    const sender = senderOfActor(actor, provenance, digestBytes(runId))
    const request = { plan, runs: [{ runId, shard: null }], again: true }
    const order = { request, sender, actor, requestId: null, now: new Date() }
    const { entry } = await registerPlan(this.db, order as Parameters<typeof registerPlan>[1])
    return new Date(entry.at)
  }

  /** A registered run: its plan, and its job folder with the plan inside. */
  async prepare(version: string, more: Partial<MadeJob> = {}) {
    const runId = `run_escrow${version.replaceAll('.', '')}0000`
    const plan = await this.freeze(version)
    const at = await this.register(plan, runId)
    const files: JobFiles = makeHarborJob({ jobName: runId, at, version, ...more })
    const whole: JobFiles = { ...files, 'plan.json': JSON.stringify(plan) }
    return { runId, plan, files: whole }
  }

  /** The sentence that refuses an upload; null = it was stored, now or before. */
  async refusalOf(files: JobFiles | Buffer, sender = SENDER): Promise<string | null> {
    try {
      const body = Buffer.isBuffer(files) ? files : packZip(zipFiles(files))
      const { status, preview } = await submitBody(this.#board, body, sender)
      if (status === 'committed' || status === 'duplicate') return null
      return [preview.problem ?? '', ...preview.items.map(({ message }) => message)].join('; ')
    } catch (error) {
      if (error instanceof AppError) return error.message
      throw error
    }
  }

  /** Evaluates everything that waits, and returns the entry of a version. */
  async rowOf(version: string): Promise<BoardRow | undefined> {
    const { db } = this
    const stop = new AbortController()
    const boards = { request: () => {} } as never
    const following = followEvaluations({ db, boards, workerId: 'w', signal: stop.signal })
    const isDone = async () => {
      const done = await db.evaluation.findMany({ distinct: ['episodeId'] })
      return done.length === (await db.episode.count())
    }
    await vi.waitUntil(isDone, { timeout: 280_000, interval: 200 })
    stop.abort()
    await following
    const { rows } = await this.#refresh()
    return rows.find(({ subject }) => subject.version === version)
  }

  #refresh(): Promise<Board> {
    return refreshBoard(this.db, this.#suite, new Date())
  }

  async text(): Promise<string> {
    return serializeBoard(await this.#refresh())
  }

  /** Returns the text of the board that an archive makes. */
  async rebuild(): Promise<string> {
    const archive = mkdtempSync(join(this.dir, 'archive-'))
    await exportArchive(this.dir, archive)
    return (await rebuild(archive, { suiteId: this.#suite.suiteId, version: null })).text
  }
}

/** The reasons of an entry's refusals, by code. */
export function reasonsOf(row: BoardRow | undefined): Record<string, string> {
  return Object.fromEntries((row?.refusals ?? []).map(({ code, reason }) => [code, reason]))
}

/** The last line that a command prints. */
async function command(dir: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await proofboardHere(dir, args)
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  return stdout.trim().split('\n').at(-1) ?? ''
}
