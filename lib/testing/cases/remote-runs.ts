import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cachingBuilder } from '#lib/db/cached-boards.ts'
import { closeDatabase, database, migrateDatabase } from '#lib/db/database.ts'
import { claimJob, type JobEnding } from '#lib/db/job-lease.ts'
import type { Job } from '#lib/db/job-store.ts'
import { findRemoteRun } from '#lib/db/remote-run-store.ts'
import type { ExecutorName } from '#lib/domain/executors/index.ts'
import { planSchema } from '#lib/domain/record/index.ts'
import { settleEnv } from '#lib/env.ts'
import { launchPlan } from '#lib/server/launch/launch-run.ts'
import { executeJob } from '#lib/worker/execute-job.ts'
import { syncSuite } from '#lib/worker/sync-suites.ts'
import { BoardRefresher } from '#lib/worker/worker-context.ts'
import { proofboardHere } from '../factories/command-here.ts'
import { temporarySuite } from '../factories/proofboard-command.ts'
import { waitUntilTrue } from '../factories/real-queue.ts'
import { serveRemoteRoutes } from '../factories/serve-remote-routes.ts'

const TASKS = ['lru-cache', 'rate-limiter']
const SUITE = 'small'

export type StartedRun = {
  runId: string
  ending: Promise<JobEnding>
  cancel: () => void
  /** Shuts the worker down; another one takes over the job. */
  takeOver: () => Promise<StartedRun>
}

/** A board in this process, with a suite of two exercises, whose jobs go to an engine. */
export type RemoteTest = {
  dir: string
  /** Folder of files that control the commands, whose user may differ from this process's. */
  signs: string
  url: string
  /** Writes executors.yaml. */
  configure: (settings: object) => void
  /** Copies the suite into a data folder, as an image contains it. */
  layImage: (dataDir: string) => void
  /** Freezes a plan, queues it for an engine, and runs its job as a worker does. */
  start: (executor: ExecutorName, subject: readonly string[]) => Promise<StartedRun>
  episodes: (runId: string) => Promise<[taskId: string, attempt: number, status: string][]>
  close: () => Promise<void>
}

/** Points the environment of this process at the new folder until it is closed; one per test file. */
export async function startRemoteTest(): Promise<RemoteTest> {
  const dir = mkdtempSync(join(tmpdir(), 'proofboard-remote-'))
  const signs = mkdtempSync(join(tmpdir(), 'proofboard-signs-'))
  chmodSync(signs, 0o777)
  process.env.PROOFBOARD_DATA_DIR = dir
  process.env.PROOFBOARD_LOG_LEVEL = 'silent'
  settleEnv(process.cwd())
  const layImage = (dataDir: string) => temporarySuite(dataDir, SUITE, TASKS)
  layImage(dir)
  await migrateDatabase()
  await syncSuite(database(), SUITE, new AbortController().signal)
  const board = await serveRemoteRoutes()
  return {
    dir,
    signs,
    url: board.url,
    layImage,
    configure: (settings) => {
      const file = { schemaVersion: 1, url: board.url, ...settings }
      // JSON is YAML.
      writeFileSync(join(dir, 'executors.yaml'), JSON.stringify(file))
    },
    start: async (executor, subject) => {
      const plan = await freeze(dir, subject)
      const request = { concurrency: 1, spendCapMicroUsd: null, priority: 0 }
      const by = { actor: { kind: 'console', id: null, name: 'console' } as const, requestId: null }
      await launchPlan(plan, { ...request, remote: { executor, shards: 0 } }, by)
      return execute()
    },
    episodes: async (runId) => {
      const orderBy = [{ taskId: 'asc' }, { repetition: 'asc' }, { attempt: 'asc' }] as const
      const rows = await database().episode.findMany({ where: { runId }, orderBy: [...orderBy] })
      return rows.map(({ taskId, attempt, status }) => [taskId, attempt, status])
    },
    close: async () => {
      await board.close()
      await closeDatabase()
      for (const folder of [dir, signs])
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Options of a subject that waits until a file exists. */
export const waitingAgent = (sign: string): string[] => [
  ...['--command', `while [ ! -e ${sign} ]; do sleep 0.2; done`],
  ...['--name', 'test-agent', '--subject-version', '1.0.0'],
]

/** Waits until the subjects of a run's two shards have started. */
export const untilRunning = (runId: string): Promise<void> =>
  waitUntilTrue(
    'both shards run',
    async () => {
      const parts = (await findRemoteRun(database(), runId))?.parts ?? []
      return (
        parts.length === 2 && parts.every(({ journal }) => journal.join().includes('"subject"'))
      )
    },
    120_000,
  )

async function freeze(dir: string, subject: readonly string[]) {
  const out = join(dir, `plan-${Math.random()}.json`)
  const args = ['plan', '--suite', SUITE, '--isolation', 'local', ...subject, '--out', out]
  const { code, stdout, stderr } = await proofboardHere(dir, [...args, '--json'])
  if (code !== 0) throw new Error(stderr)
  return planSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? '').plan)
}

async function execute(): Promise<StartedRun> {
  const db = database()
  const newRunId = `run_${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`
  const job = await claimJob(db, { owner: 'w', leaseMs: 600_000, newRunId })
  if (!job?.newRunId) throw new Error('no job')
  return work(job, job.newRunId)
}

function work(job: Job, runId: string): StartedRun {
  const db = database()
  const [cancel, stop] = [new AbortController(), new AbortController()]
  const boards = new BoardRefresher(db, cachingBuilder(db))
  const context = { db, workerId: 'w', signal: stop.signal, boards }
  const finish = async () => {
    const ended = await executeJob(job, context, cancel.signal)
    await boards.settle()
    await db.job.updateMany({ where: { id: job.jobId }, data: { status: ended.status } })
    return ended
  }
  const ending = finish()
  const takeOver = async () => {
    stop.abort()
    const { status } = await ending
    if (status !== 'queued') throw new Error(`the job had ended: ${status}`)
    return work(job, runId)
  }
  return { runId, ending, cancel: () => cancel.abort(), takeOver }
}
